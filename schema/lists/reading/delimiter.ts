import { parseRows } from './delimited.ts';

/** In the order in which they are preferred. */
const CANDIDATES = [',', ';', '\t', '|'];
const ROWS = 50;

/**
 * The character that cuts most of the first rows into the same number of cells, more than one; a comma if none does.
 * @param sample the beginning of the text; its last line may be cut off
 */
export function delimiterOf(sample: string): string {
  let best = { delimiter: ',', score: 0 };
  for (const delimiter of CANDIDATES) {
    const score = scoreOf(sample, delimiter);
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}

/** Rows that agree on their width, more than one; among equals, wider is better. */
function scoreOf(sample: string, delimiter: string): number {
  const { rows, rest } = parseRows(sample, delimiter, false);
  // The last row counts where there are few.
  const all = rows.length < ROWS ? [...rows, ...parseRows(rest, delimiter, true).rows] : rows;
  const widths = new Map<number, number>();
  for (const { length } of all.slice(0, ROWS)) widths.set(length, (widths.get(length) ?? 0) + 1);
  let best = 0;
  for (const [width, count] of widths) if (width > 1) best = Math.max(best, count + width / 1_000);
  return best;
}
