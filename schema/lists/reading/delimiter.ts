import { parseRows } from './delimited.ts';

/** By preference. */
const CANDIDATES = [',', ';', '\t', '|'];
const ROWS = 50;

/**
 * The character that splits most of the first rows into the same number of cells, at least two; else a comma.
 * @param sample the beginning of the text; its last line may be incomplete
 */
export function delimiterOf(sample: string): string {
  let best = { delimiter: ',', score: 0 };
  for (const delimiter of CANDIDATES) {
    const score = scoreOf(sample, delimiter);
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}

/** How many rows agree on a width of at least two; among equals, wider is better. */
function scoreOf(sample: string, delimiter: string): number {
  const { rows, rest } = parseRows(sample, delimiter, false);
  // With few rows, the last one counts too.
  const all = rows.length < ROWS ? [...rows, ...parseRows(rest, delimiter, true).rows] : rows;
  const widths = new Map<number, number>();
  for (const { length } of all.slice(0, ROWS)) widths.set(length, (widths.get(length) ?? 0) + 1);
  let best = 0;
  for (const [width, count] of widths) if (width > 1) best = Math.max(best, count + width / 1_000);
  return best;
}
