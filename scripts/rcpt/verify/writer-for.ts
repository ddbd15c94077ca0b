import { Failure } from '../failure/failure.ts';
import { type Format, formatByName } from '../../../schema/lists/reading/format.ts';
import type { Table } from '../table/open-table.ts';
import type { Report } from './report.ts';
import type { VerifyRequest } from './request.ts';
import { namesOfOurs, placesOfOurs } from './result-columns.ts';
import { type OutputFormat, type RowWriter, rowWriter } from './row-writer.ts';

/**
 * How the rows of a table that has been read are written.
 * @throws Failure
 */
export function writerFor(request: VerifyRequest, table: Table, report: Report): RowWriter {
  const format = request.outputFormat ?? outputFormatFor(request.output, table.format);
  const shared = { format, names: table.names, style: table.style, escapesTheirs: request.escapesTheirs };
  const places = request.only === null ? null : placesOfOurs(table.names);
  if (places !== null) return rowWriter({ ...shared, ours: { kind: 'replaced', places } });
  const names = namesOfOurs(table.names);
  if (names[0] !== 'rcpt_status')
    report.note(`The list already has columns of an earlier run: the new ones are named ${names[0]} and so on.`);
  return rowWriter({ ...shared, ours: { kind: 'appended', names } });
}

function outputFormatFor(output: string, input: Format): OutputFormat {
  const named = output === '-' ? null : formatByName(output);
  if (named === 'xlsx')
    throw new Failure('usage', `-o ${output}: spreadsheets are read, not written. Use CSV, which Excel opens.`);
  if (named !== null) return named === 'text' ? 'csv' : named;
  return input === 'tsv' || input === 'jsonl' ? input : 'csv';
}
