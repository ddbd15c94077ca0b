import { beforeEach, expect, test } from 'vitest';
import { noteRaised, takeRaised } from './paging.ts';

beforeEach(() => void takeRaised());

test('what could not be handed over is noted again with all its times', () => {
  for (let n = 0; n < 3; n += 1) noteRaised('settle_failed', {});
  const taken = takeRaised();
  noteRaised('settle_failed', {});
  for (const { event, fields, times } of taken) noteRaised(event, fields, times);
  expect(takeRaised()).toEqual([{ event: 'settle_failed', fields: {}, times: 4 }]);
});
