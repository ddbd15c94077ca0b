import type { Report } from './check.ts';
import { describeGrowth } from './growth.ts';

const HEAD = [
  'done',
  'answered',
  'broken off',
  '500',
  'time ran out',
  'p50',
  'p99',
  'asked 0/1/2/… times',
  'charged',
  'free',
  '',
];

/** What an operator reads: a line for each run, then what went wrong. */
export function tableOf(
  reports: readonly Report[],
  undone: readonly { readonly upheaval: string; readonly why: string; readonly isFault: boolean }[],
): string {
  const rows = reports.map((report) => [
    report.upheaval,
    String(report.answered),
    String(report.brokenOff),
    String(report.failed),
    String(report.timedOut),
    `${(report.p50Ms / 1000).toFixed(1)} s`,
    `${(report.p99Ms / 1000).toFixed(1)} s`,
    report.askedTimes.join('/'),
    `${report.books.charged} of ${report.books.held}`,
    String(report.books.free + report.books.returned),
    report.faults.length === 0 ? 'held' : 'FAULTS',
  ]);
  const widths = HEAD.map((head, at) => Math.max(head.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ');
  return [
    ...[HEAD, ...rows].map(line),
    ...reports.flatMap(({ growth }) => (growth.length === 0 ? [] : ['', describeGrowth(growth).text])),
    ...reports.flatMap(({ upheaval, faults }) => faults.map((fault) => `FAULT ${upheaval}: ${fault}`)),
    ...undone.map(({ upheaval, why, isFault }) => `${isFault ? `FAULT ${upheaval}:` : upheaval} ${why}`),
    '',
  ].join('\n');
}
