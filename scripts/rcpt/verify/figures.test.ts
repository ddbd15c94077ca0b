import { expect, test } from 'vitest';
import { GREYLISTED, resultOf, UNPROBED } from '../../../schema/client/testing/scripted-service.ts';
import { Count } from './figures.ts';

const TALLY = {
  read: 3,
  answered: 3,
  waiting: 0,
  waitingMs: 0,
  pausedMs: 0,
  requests: 1,
  conflicts: 0,
  charged: 2,
  returned: 1,
  unsure: 0,
  strayLines: 0,
};

test('a row is put off if asking again soon may tell more, which a full mailbox does not', () => {
  const count = new Count({ total: 3, known: 1 }, () => TALLY);
  count.add({ result: resultOf('a@x.test', GREYLISTED), asked: 1 });
  count.add({ result: resultOf('b@x.test', { ...GREYLISTED, reason: 'mailbox_full' }), asked: 1 });
  count.add({ result: resultOf('c@x.test', UNPROBED), asked: 2 });
  expect(count.figures).toMatchObject({
    done: 3,
    total: 3,
    known: 1,
    putOff: 2,
    askedAgain: 1,
    charged: 2,
    returned: 1,
  });
});
