import { expect, test } from 'vitest';
import { makeEntry, type Entry } from '../list/entry.ts';
import { resultOf, UNPROBED } from '../testing/scripted-service.ts';
import { Queue } from './queue.ts';

const ROOM = { entries: 500, bytes: 51_200 };
const entry = (index: number, domain = 'x.test'): Entry<string> =>
  makeEntry({ index, input: '' }, `u${index}@${domain}`, []);
/** One that was answered before. */
const again = (index: number): Entry<string> => ({ ...entry(index), asked: 1, result: resultOf(`u${index}@x.test`) });
const places = (entries: readonly Entry<string>[]): readonly number[] => entries.map(({ index }) => index);

test('a deferred address is planned when it is due and not before', () => {
  const queue = new Queue<string>(false);
  queue.add(entry(0));
  queue.putOff(again(1), 5_000);
  queue.putOff(again(2), 20_000);
  expect([queue.planned, queue.firsts, queue.waiting, queue.nextDueMs(true)]).toEqual([1, 1, 2, 5_000]);
  queue.planDue(4_999, true);
  expect([queue.planned, queue.waiting]).toEqual([1, 2]);
  queue.planDue(5_000, true);
  expect([queue.planned, queue.firsts, queue.waiting, queue.nextDueMs(true)]).toEqual([2, 1, 1, 20_000]);
  expect(places(queue.nextChunk(ROOM))).toEqual([0, 1]);
  expect(places(queue.drain())).toEqual([2]);
  expect([queue.isEmpty, queue.nextDueMs(false)]).toEqual([true, Infinity]);
});

test('with a ceiling, no address is asked again before all are asked once', () => {
  const queue = new Queue<string>(true);
  queue.putOff(again(1), 0);
  queue.add(entry(0));
  expect([queue.nextDueMs(false), queue.isEmpty]).toEqual([Infinity, false]);
  queue.planDue(9_000, false);
  expect(queue.waiting).toBe(1);
  queue.nextChunk(ROOM);
  expect([queue.nextDueMs(true), queue.nextDueMs(false), queue.isEmpty]).toEqual([Infinity, 0, false]);
  queue.planDue(9_000, true);
  expect(queue.waiting).toBe(1);
  queue.planDue(9_000, false);
  expect([queue.planned, queue.waiting, queue.isEmpty]).toEqual([1, 0, false]);
});

test('a slow domain is in one request at a time, with half as many addresses', () => {
  const queue = new Queue<string>(false);
  for (let index = 0; index < 200; index += 1) queue.add(entry(index));
  const chunk = queue.nextChunk(ROOM);
  expect(chunk).toHaveLength(100);
  queue.noteEnd(chunk, new Map(chunk.map((one) => [one, resultOf(one.email, UNPROBED)])), 90_000);
  expect(queue.nextChunk(ROOM)).toHaveLength(50);
  expect(queue.nextChunk(ROOM)).toEqual([]);
  expect(queue.drain()).toHaveLength(50);
});
