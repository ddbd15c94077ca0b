import type { Part, Parts, Report } from '../../../schema/list-job/bounce-report.ts';
import { count, harmlessLine, several } from '../words/words.ts';

// What people read. Pure.

const COLUMNS = ['bounced', 'hard', 'soft', 'unspecified'] as const;
const NONE = 'without a reason';

/** @param files the names of the verified list and the export */
export function linesOf(
  { verified, bounces, statuses, all }: Report,
  files: readonly [string, string],
): readonly string[] {
  const [list, tool] = files.map(harmlessLine);
  const { hard, soft, unspecified } = bounces.notInList;
  const strangers = hard + soft + unspecified;
  const rows = statuses
    .filter(({ addresses }) => addresses > 0)
    .flatMap(({ status, reasons, ...parts }) => {
      const isOne = reasons.length === 1 && reasons[0]?.reason === null;
      const below = isOne ? [] : reasons.map(({ reason, ...each }) => rowOf(`  ${reason ?? NONE}`, each));
      return [rowOf(status, parts), ...below];
    });
  return [
    `${list}: ${several(verified.addresses, 'address', 'addresses')} with a verdict${among([
      [verified.duplicates, 'row repeats one', 'rows repeat one'],
      [verified.withoutVerdict, 'row has none', 'rows have none'],
    ])}.`,
    `${tool}: ${several(bounces.addresses, 'of them bounced', 'of them bounced')}${among([
      [strangers, 'other address bounced that is not in the list', 'other addresses bounced that are not in the list'],
      [bounces.duplicates, 'entry repeats one', 'entries repeat one'],
      [bounces.noBounces, 'entry is no bounce', 'entries are no bounces'],
      [bounces.withoutAddress, 'entry has no address', 'entries have no address'],
    ])}.`,
    '',
    ...aligned([['', 'addresses', ...COLUMNS], ...rows, rowOf('all', all)]),
    '',
    'Shares are of the addresses with that verdict, with 95 % Wilson intervals. What you did not mail could not bounce.',
  ];
}

function among(counts: ReadonlyArray<readonly [number: number, one: string, more: string]>): string {
  const some = counts.filter(([number]) => number > 0).map(([number, one, more]) => several(number, one, more));
  return some.length === 0 ? '' : `; ${some.join(', ')}`;
}

function rowOf(name: string, parts: Parts): readonly string[] {
  return [name, count(parts.addresses), ...COLUMNS.map((column) => partText(parts[column]))];
}

/** `40  0.50 % (0.37–0.68)` */
function partText({ count: number, share, low, high }: Part): string {
  if (share === null || low === null || high === null) return count(number);
  return `${count(number)}  ${percent(share)} % (${percent(low)}–${percent(high)})`;
}

function percent(share: number): string {
  return (share * 100).toFixed(2);
}

/** The first column to the left, numbers to the right. */
function aligned(rows: ReadonlyArray<readonly string[]>): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  return rows.map((cells) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('   ')
      .trimEnd(),
  );
}
