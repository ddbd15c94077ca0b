import { parse } from 'csv-parse/sync';

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
  const widths = new Map<number, number>();
  for (const { length } of rowsOf(sample, delimiter)) widths.set(length, (widths.get(length) ?? 0) + 1);
  let best = 0;
  for (const [width, rows] of widths) if (width > 1) best = Math.max(best, rows + width / 1_000);
  return best;
}

function rowsOf(sample: string, delimiter: string): string[][] {
  const rows: string[][] = [];
  try {
    parse(sample, {
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      to: ROWS,
      on_record: (row: string[]) => {
        rows.push(row);
        return null;
      },
    });
  } catch {
    // The sample ends inside a quoted cell: the rows before it are enough.
  }
  return rows;
}

/** How lines end: as the first one does. */
export function newlineOf(sample: string): '\n' | '\r\n' {
  const at = sample.indexOf('\n');
  return at > 0 && sample[at - 1] === '\r' ? '\r\n' : '\n';
}
