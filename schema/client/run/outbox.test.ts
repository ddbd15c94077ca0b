import { expect, test } from 'vitest';
import { makeEntry } from '../list/entry.ts';
import { resultOf } from '../testing/scripted-service.ts';
import { Outbox } from './outbox.ts';

function outboxOf(ordered: boolean, indexes: readonly number[]): Outbox<string> {
  const outbox = new Outbox<string>(ordered);
  for (const index of indexes)
    outbox.add(makeEntry({ index, input: `a${index}@x.test` }, `a${index}@x.test`, []), resultOf(''));
  return outbox;
}

const taken = (outbox: Outbox<string>, skips: boolean): readonly (number | undefined)[] =>
  Array.from({ length: 4 }, () => outbox.shift(skips)?.index);

test('results are given as they came, or in the order of the list', () => {
  expect(taken(outboxOf(false, [2, 0, 1]), false)).toEqual([2, 0, 1, undefined]);
  expect(taken(outboxOf(true, [2, 0, 1]), false)).toEqual([0, 1, 2, undefined]);
});

test('in order, one waits for those before it, unless they will never come', () => {
  const outbox = outboxOf(true, [3, 0, 5]);
  expect(taken(outbox, false)).toEqual([0, undefined, undefined, undefined]);
  expect(taken(outbox, true)).toEqual([3, 5, undefined, undefined]);
  expect(outbox.shift(true)).toBe(null);
});

test('a duplicate has the result of its first place in its own spelling', () => {
  const outbox = new Outbox<string>(false);
  const copies = [{ index: 4, input: ' A@X.test' }];
  outbox.add({ ...makeEntry({ index: 1, input: 'a@x.test' }, 'a@x.test', copies), asked: 2 }, resultOf('a@x.test'));
  expect(outbox.shift(false)).toMatchObject({ index: 1, input: 'a@x.test', asked: 2, result: { email: 'a@x.test' } });
  expect(outbox.shift(false)).toMatchObject({ index: 4, input: ' A@X.test', asked: 2, result: { email: 'a@x.test' } });
});

test('it is full with two thousand that could be taken', () => {
  const indexes = Array.from({ length: 2_000 }, (_, n) => n);
  expect(outboxOf(true, indexes).isFull).toBe(true);
  expect(outboxOf(true, indexes.slice(1)).isFull).toBe(false);
  expect(outboxOf(true, indexes.slice(0, -1)).isFull).toBe(false);
  expect(outboxOf(true, [...indexes.slice(1), 2_000]).isFull).toBe(false);
});
