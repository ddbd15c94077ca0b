import { expect, it } from 'vitest';
import { addressIndex, isBatchIndex, isJobIndex, jobIndexes, slotIndex } from './indexes.ts';

it.each([-1, 3, 0.5, Number.NaN])('%d is not an index of three addresses', (index) => {
  expect([isBatchIndex(index, 3), isJobIndex(index, 3)]).toEqual([false, false]);
});

it('the indexes of a job of three addresses count from 0', () => {
  expect(jobIndexes(3)).toEqual([0, 1, 2]);
});

it.each([-1, 0.5, Number.NaN, Infinity])('rejects %d as a place in a request', (place) => {
  expect(() => slotIndex(place)).toThrow(RangeError);
  expect(() => addressIndex(place)).toThrow(RangeError);
});
