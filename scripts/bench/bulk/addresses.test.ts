import { expect, test } from 'vitest';
import { bulkLines, Tally } from './addresses.ts';

const bulk = { addresses: 100, domains: 10 };

test('the list has each address once, mixed, the same on every run', () => {
  const lines = bulkLines(bulk);
  expect(new Set(lines).size).toBe(100);
  expect(new Set(lines.map((line) => line.split('@')[1])).size).toBe(10);
  expect(lines).toEqual(bulkLines(bulk));
  expect(lines).not.toEqual(lines.toSorted());
});

test('a tally counts what came, came again and was never asked for', () => {
  const tally = new Tally(bulk);
  for (const line of bulkLines(bulk)) tally.take(line);
  for (const email of ['u0@d0.test', 'u10@d0.test', 'x@y.test']) tally.take(email);
  expect([tally.done, tally.repeated, tally.strange]).toEqual([100, 1, 2]);
});
