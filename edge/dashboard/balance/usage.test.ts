import { expect, it } from 'vitest';
import type { Usage, UsageRow } from '../../../schema/pages-api.ts';
import { byDay, byKey, byMonth, totalOf } from './usage.ts';

const NOTHING = { batches: 1, valid: 0, risky: 0, invalid: 0, unknown: 0, charged: 0, returned: 0 };
const row = (fields: Partial<UsageRow>): UsageRow => ({ ...NOTHING, day: '2026-03-01', key: 'page', ...fields });
const usage: Usage = {
  rows: [
    row({ valid: 3, charged: 3 }),
    row({ key: 'key_a', valid: 1, risky: 2, charged: 3 }),
    row({ day: '2026-02-28', key: 'key_gone', invalid: 9, charged: 9 }),
    row({ day: '2026-01-01', unknown: 5 }),
  ],
  labels: { key_a: 'Shop' },
};

it('has an entry for every day up to today, across the end of a month', () => {
  const days = byDay(usage, 3, '2026-03-01');
  expect(days.map(({ day, all }) => [day, all])).toEqual([
    ['2026-02-27', 0],
    ['2026-02-28', 9],
    ['2026-03-01', 6],
  ]);
  expect(Object.fromEntries(totalOf(days))).toEqual({ valid: 4, risky: 2, invalid: 9, unknown: 0 });
});

it.each(['2026-03-01', '2026-11-28', '2027-12-31', '2028-02-29', '2028-03-31'])(
  'has the twelve months up to %s, each whole, with all of their days',
  (today) => {
    const days = byDay(usage, 366, today);
    const months = byMonth(days);
    expect(months).toHaveLength(12);
    const [first] = months;
    expect(days.some(({ day }) => day === first?.day)).toBe(true);
    expect(months.at(-1)?.day).toBe(`${today.slice(0, 7)}-01`);
    const within = days.filter(({ day }) => day >= (first?.day ?? ''));
    expect(totalOf(months)).toEqual(totalOf(within));
  },
);

it('names the keys, including deleted ones', () => {
  expect(byKey(usage)).toEqual([
    { name: 'A deleted key', addresses: 9, cost: 9 },
    { name: 'These pages', addresses: 8, cost: 3 },
    { name: 'Shop', addresses: 3, cost: 3 },
  ]);
});
