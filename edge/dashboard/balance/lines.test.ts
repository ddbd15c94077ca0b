import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { StatementRow } from '../../../schema/pages-api.ts';
import { deltaOf, linesOf } from './lines.ts';

/** Noon here, so that no minute of these is in another day. */
const NOON = new Date(2026, 10, 20, 12).getTime();
const at = (minutes: number): string => new Date(NOON + minutes * 60_000).toISOString();
const batch = { addresses: 500, held: 480, returned: 20, state: 'settled', list: null } as const;
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

const of = (list: string, row: StatementRow): StatementRow => ({ ...row, batch: { ...batch, list } });
const refsOf = (rows: readonly StatementRow[]) => linesOf(rows).map((line) => line.rows.map(({ ref }) => ref));

it('shows all requests of a list as one line with their totals, no matter how far apart they are', () => {
  const day = 24 * 60;
  const [newest, oldest] = [of('one', hold('b3', 2 * day)), of('one', hold('b1', 0))];
  const rows = [
    newest,
    bought(day + 2),
    of('other', hold('c1', day + 1)),
    of('one', back('b2', day)),
    of('one', hold('b2', day)),
    oldest,
  ];
  const lines = linesOf(rows);
  expect(lines.map(({ verified }) => verified?.requests ?? null)).toEqual([3, null, 1]);
  expect(lines[0]?.verified).toEqual({ requests: 3, addresses: 1_500, held: 1_440, returned: 20, isUnderWay: false });
  expect(lines.map(deltaOf)).toEqual([-1_420, 1_000, -480]);
});

it('groups other requests that are close in time into one line, even with a list between them', () => {
  const between = [of('list', hold('l2', 13)), of('list', hold('l1', 12))];
  expect(refsOf([of('x', back('b2', 22)), of('x', hold('b2', 21)), ...between, hold('b1', 10)])).toEqual([
    ['b2', 'b2', 'b1'],
    ['l2', 'l1'],
  ]);
});

it('starts a new line after 15 minutes, a purchase or midnight', () => {
  const rows = [hold('b5', 60), hold('b4', 44), bought(43), hold('b3', 42), hold('b2', 42 - 24 * 60)];
  expect(refsOf(rows)).toEqual([['b5'], ['b4'], ['ord_1'], ['b3'], ['b2']]);
});

it('keeps summed-up days as they are, and marks requests in progress', () => {
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
    list: fc.constantFrom(null, 'one', 'other'),
  });
  fc.assert(
    fc.property(fc.array(row), (made) => {
      const rows = made
        .map(({ ref, minutes, kind, list }) => (list === null ? kind(ref, minutes) : of(list, kind(ref, minutes))))
        .toSorted((a, b) => b.at.localeCompare(a.at));
      const lines = linesOf(rows);
      expect(new Set(lines.flatMap((line) => line.rows))).toEqual(new Set(rows));
      expect(lines.flatMap((line) => line.rows)).toHaveLength(rows.length);
      expect(sum(lines.map(deltaOf))).toBe(sum(rows.map(({ delta }) => delta)));
    }),
  );
});
