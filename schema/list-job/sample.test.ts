import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Rcpt } from '../client/index.ts';
import { memoryJournal } from '../client/testing/memory-journal.ts';
import { hurried, ScriptedService } from '../client/testing/scripted-service.ts';
import { ceilingOf, priceOf } from './price.ts';
import { Results } from './results.ts';
import { runList } from './run.ts';
import { estimateOf, pickSample, pointsOff } from './sample.ts';

const NOTHING = { charged: 0, returned: 0, unconfirmed: 0 };

test('a sample has as many addresses as it may, each once, in order, and none that has a result or is under way', () => {
  const scenes = fc.record({
    addresses: fc.nat(200),
    size: fc.integer({ min: 1, max: 50 }),
    known: fc.uniqueArray(fc.nat(199)),
    open: fc.uniqueArray(fc.nat(199)),
    draws: fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })),
  });
  fc.assert(
    fc.property(scenes, ({ addresses, size, known, open, draws }) => {
      const isKnown = (number: number): boolean => known.includes(number);
      const entries = open.filter((index) => index < addresses).map((index) => ({ index, email: '', asked: 0 }));
      const price = priceOf(addresses, isKnown, { open: [{ key: 'k', atMs: 0, entries }], spent: NOTHING });
      const picked = pickSample(size, addresses, isKnown, price, () => draws.next().value ?? 0);
      const free = Array.from({ length: addresses }, (_, n) => n).filter((n) => !isKnown(n) && !open.includes(n));
      expect(picked).toHaveLength(Math.min(size, free.length));
      expect(picked.every((number) => free.includes(number))).toBe(true);
      expect(picked).toEqual([...new Set(picked)].toSorted((one, other) => one - other));
      expect(ceilingOf(price)).toBe(free.length + entries.length);
    }),
  );
});

test('what a sample learns stands at the places of the list, and is what the run of all goes on from', async () => {
  const service = new ScriptedService();
  const client = new Rcpt({
    apiKey: 'svc_live_x',
    baseURL: 'https://x.test',
    fetch: service.fetch,
    clock: hurried(),
    maxRetries: 0,
  });
  const journal = memoryJournal();
  const emails = Array.from({ length: 20 }, (_, n) => `u${n}@x.test`);
  const found = new Results(emails.length);
  const gather = (numbers: readonly number[] | null) =>
    runList({ client, addresses: emails, numbers, journal, results: found, options: {} }).gather();
  // The first attempt loses its answers: the second goes on under its key.
  service.cuts = [{ written: 3, read: 0, ends: 'broken', lingers: 0 }];
  await expect(gather([3, 7, 19])).rejects.toMatchObject({ name: 'RcptError' });
  await gather([3, 7, 19]);
  expect(emails.flatMap((_, number) => (found.kindOf(number) === null ? [] : [number]))).toEqual([3, 7, 19]);
  expect(service.charged).toBe(3);
  await gather(null);
  expect(found.left).toBe(0);
  expect(service.charged).toBe(20);
});

test('an estimate is a share of the price, and nobody makes one of nothing', () => {
  expect(estimateOf(900, { answered: 100, charged: 87 })).toBe(783);
  expect(estimateOf(900, { answered: 100, charged: 0 })).toBe(0);
  expect(estimateOf(900, { answered: 0, charged: 0 })).toBe(null);
  // Asked more than once: no row costs more than its price.
  expect(estimateOf(10, { answered: 10, charged: 30 })).toBe(10);
  expect([100, 400, 10_000].map(pointsOff)).toEqual([10, 5, 1]);
});
