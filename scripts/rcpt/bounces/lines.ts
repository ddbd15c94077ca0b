import type { Parts, Report } from '../../../schema/list-job/bounce-report.ts';
import { ABOUT_SHARES, NO_REASON, PARTS, sentencesOf, shareText } from '../../../schema/list-job/bounce-words.ts';
import { count, harmlessLine } from '../words/words.ts';

/** What people read. Pure. @param files the names of the verified list and the export */
export function linesOf(report: Report, files: readonly [string, string]): readonly string[] {
  const rows = report.statuses
    .filter(({ addresses }) => addresses > 0)
    .flatMap(({ status, reasons, ...parts }) => {
      const isOne = reasons.length === 1 && reasons[0]?.reason === null;
      const below = isOne ? [] : reasons.map(({ reason, ...each }) => rowOf(`  ${reason ?? NO_REASON}`, each));
      return [rowOf(status, parts), ...below];
    });
  const sentences = sentencesOf(report, count);
  return [
    ...files.map((name, nth) => `${harmlessLine(name)}: ${sentences[nth] ?? ''}`),
    '',
    ...aligned([['', 'addresses', ...PARTS], ...rows, rowOf('all', report.all)]),
    '',
    ABOUT_SHARES,
  ];
}

function rowOf(name: string, parts: Parts): readonly string[] {
  return [
    name,
    count(parts.addresses),
    ...PARTS.map((part) => `${count(parts[part].count)}  ${shareText(parts[part])}`),
  ];
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
