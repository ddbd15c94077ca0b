import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { StatementRow } from '../../../schema/pages-api.ts';
import { deltaOf, linesOf } from './lines.ts';

/** Noon here, so that no minute of these is in another day. */
const NOON = new Date(2026, 10, 20, 12).getTime();
const at = (minutes: number): string => new Date(NOON + minutes * 60_000).toISOString();
const batch = { addresses: 500, held: 480, returned: 20, state: 'settled' } as const;
const hold = (ref: string, minutes: number): StatementRow => ({
  at: at(minutes),
  kind: 'hold',
  ref,
  delta: -480,
  balance: 0,
  batch,
});
const back = (ref: string, minutes: number): StatementRow => ({ ...hold(ref, minutes), kind: 'return', delta: 20 });
const bought = (minutes: number): StatementRow => ({
  at: at(minutes),
  kind: 'purchase',
  ref: 'ord_1',
  delta: 1_000,
  balance: 0,
  batch: null,
});

it('makes one line of the batches of a list, with what they came to', () => {
  const rows = [back('b3', 31), back('b2', 22), hold('b3', 21), back('b1', 20), hold('b2', 11), hold('b1', 10)];
  const lines = linesOf(rows);
  expect(lines.map(({ verified }) => verified)).toEqual([
    { batches: 3, addresses: 1_500, held: 1_440, returned: 60, isUnderWay: false },
  ]);
  expect(lines.map(deltaOf)).toEqual([-1_380]);
});

it('parts what is a quarter of an hour or a purchase apart, or of another day', () => {
  const rows = [hold('b5', 60), hold('b4', 44), bought(43), hold('b3', 42), hold('b2', 42 - 24 * 60)];
  expect(linesOf(rows).map((line) => line.rows.map(({ ref }) => ref))).toEqual([
    ['b5'],
    ['b4'],
    ['ord_1'],
    ['b3'],
    ['b2'],
  ]);
});

it('lets the days that were summed up stand, and says what is under way', () => {
  const day: StatementRow = { ...hold('2026-11-20', 1), batch: null };
  const open: StatementRow = { ...hold('b1', 2), batch: { ...batch, returned: null, state: 'open' } };
  expect(linesOf([open, day, { ...day, kind: 'return' }]).map(({ verified }) => verified?.isUnderWay ?? null)).toEqual([
    true,
    null,
    null,
  ]);
});

const sum = (deltas: readonly number[]): number => deltas.reduce((all, delta) => all + delta, 0);

it('loses no row and no credit', () => {
  const row = fc.record({
    ref: fc.constantFrom('a', 'b', 'c'),
    minutes: fc.nat(3_000),
    kind: fc.constantFrom(hold, back),
  });
  fc.assert(
    fc.property(fc.array(row), (made) => {
      const rows = made
        .map(({ ref, minutes, kind }) => kind(ref, minutes))
        .toSorted((a, b) => b.at.localeCompare(a.at));
      const lines = linesOf(rows);
      expect(lines.flatMap((line) => line.rows)).toEqual(rows);
      expect(sum(lines.map(deltaOf))).toBe(sum(rows.map(({ delta }) => delta)));
    }),
  );
});
