import type { Usage } from '../../../schema/pages-api.ts';
import { countStatuses, type StatusCounts } from '../../../schema/words/status-counts.ts';
import { type Status, STATUSES } from '../../../schema/words/verdicts.ts';

export type Day = { readonly day: string; readonly counts: Readonly<Record<Status, number>>; readonly all: number };
export type ByKey = { readonly name: string; readonly addresses: number; readonly cost: number };

/** Usage by day, with the days on which nothing was verified. Pure. @param today `2026-11-21` */
export function byDay({ rows }: Usage, days: number, today: string): readonly Day[] {
  const end = Date.parse(`${today}T00:00:00Z`);
  return Array.from({ length: days }, (_, index) => {
    const day = new Date(end - (days - 1 - index) * 86_400_000).toISOString().slice(0, 10);
    const counts: Record<Status, number> = { valid: 0, risky: 0, invalid: 0, unknown: 0 };
    for (const row of rows) if (row.day === day) for (const status of STATUSES) counts[status] += row[status];
    return { day, counts, all: sum(counts) };
  });
}

/** The last twelve months, of which the first is whole; each stands under its first day. Pure. */
export function byMonth(days: readonly Day[]): readonly Day[] {
  const months = Map.groupBy(days, ({ day }) => `${day.slice(0, 7)}-01`);
  return Array.from(months, ([day, its]) => {
    const counts: Record<Status, number> = { valid: 0, risky: 0, invalid: 0, unknown: 0 };
    for (const one of its) for (const status of STATUSES) counts[status] += one.counts[status];
    return { day, counts, all: sum(counts) };
  }).slice(-12);
}

/** Usage by key, the most used first. Pure. */
export function byKey({ rows, labels }: Usage): readonly ByKey[] {
  const found = new Map<string, { addresses: number; cost: number }>();
  for (const row of rows) {
    const known = found.get(row.key) ?? { addresses: 0, cost: 0 };
    known.addresses += sum(row);
    known.cost += row.charged;
    found.set(row.key, known);
  }
  return Array.from(found, ([key, usage]) => ({ name: nameOf(key, labels), ...usage })).toSorted(
    (a, b) => b.addresses - a.addresses,
  );
}

/** All days together. Pure. */
export function totalOf(days: readonly Day[]): StatusCounts {
  return countStatuses(days.flatMap(({ counts }) => STATUSES.map((status) => [status, counts[status]] as const)));
}

function nameOf(key: string, labels: Usage['labels']): string {
  return key === 'page' ? 'These pages' : (labels[key] ?? 'A deleted key');
}

function sum(counts: Readonly<Record<Status, number>>): number {
  return STATUSES.reduce((all, status) => all + counts[status], 0);
}
