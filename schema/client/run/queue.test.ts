import { expect, test } from 'vitest';
import { makeEntry } from '../list/entry.ts';
import { Queue } from './queue.ts';

test('addresses may be deferred to any number of times', () => {
  const queue = new Queue<string>(false);
  const entry = makeEntry({ index: 0, input: 'a@x.test' }, 'a@x.test', []);
  for (let at = 200_000; at > 0; at -= 1) queue.defer(entry, at * 5_000);
  expect(queue.deferredUntilMs).toBe(5_000);
  queue.planDue(10_000, false);
  expect([queue.planned, queue.deferredUntilMs]).toEqual([2, 15_000]);
});
