import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { Failure } from '../failure/failure.ts';
import type { Row } from './table.ts';

// CSV and TSV by RFC 4180, and as people write them: a quote in the middle of a cell is a quote, rows may be longer or
// shorter than others, and lines end in any of three ways.

/** A row beyond this is a quote that was never closed, and would take the rest of the file along. */
const ROW_CHARACTERS_MAX = 1_000_000;

/** @throws Failure for a quote that is not closed */
export async function* readDelimited(
  text: AsyncIterable<string>,
  delimiter: string,
  name: string,
): AsyncGenerator<Row> {
  const parser = parse({
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: ROW_CHARACTERS_MAX,
  });
  const feeding = pipeline(text, parser);
  // What goes wrong here comes out of the iteration below.
  feeding.catch(() => {});
  const records: AsyncIterable<string[]> = parser;
  let line = 0;
  try {
    for await (const cells of records) {
      line += 1;
      yield { line, cells, raw: null };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // Rows before it may not have come out yet: the parser has counted them.
    const rows: unknown = error['records'];
    throw new Failure('input', `${name}: a quote that opens after row ${String(rows)} is never closed.`, {
      cause: error,
    });
  }
}
