import { expect, test } from 'vitest';
import { GREYLISTED, resultOf, UNPROBED } from '../../../schema/client/testing/scripted-service.ts';
import { Count } from './figures.ts';

const TALLY = {
  read: 3,
  answered: 3,
  waiting: 2,
  waitingMs: 90_500,
  pausedMs: 0,
  requests: 1,
  conflicts: 0,
  charged: 2,
  returned: 1,
  unsure: 0,
  strayLines: 0,
};

test('only unknown rows with a retry_after count as deferred, since --only unknown asks no others', () => {
  const count = new Count({ total: 3, known: 1 }, () => TALLY);
  count.add({ result: resultOf('a@x.test', GREYLISTED), asked: 1 });
  count.add({ result: resultOf('b@x.test', { ...GREYLISTED, status: 'risky' }), asked: 1 });
  count.add({ result: resultOf('c@x.test', UNPROBED), asked: 2 });
  expect(count.figures).toMatchObject({
    done: 3,
    total: 3,
    known: 1,
    putOff: 2,
    putOffS: 60,
    waitingS: 91,
    askedAgain: 1,
    charged: 2,
    returned: 1,
  });
});
