import { Failure } from '../failure/failure.ts';
import { type Format, formatByName } from '../../../schema/lists/reading/format.ts';
import type { Table } from '../table/open-table.ts';
import type { Report } from './report.ts';
import type { VerifyRequest } from './request.ts';
import { appendedTo, replacedIn } from '../../../schema/lists/columns/result-columns.ts';
import { type OutputFormat, type RowWriter, rowWriter } from '../../../schema/lists/writing/row-writer.ts';

/**
 * How the rows of a table that has been read are written.
 * @throws Failure
 */
export function writerFor(request: VerifyRequest, table: Table, report: Report): RowWriter {
  const format = request.outputFormat ?? outputFormatFor(request.output, table.format);
  const replaced = request.only === null ? null : replacedIn(table.names);
  const layout = replaced ?? appendedTo(table.names);
  const first = layout.names[layout.places[0] ?? -1];
  if (first !== 'rcpt_status')
    report.inform(`The list already has columns of an earlier run: the new ones are named ${first} and so on.`);
  return rowWriter({ format, style: table.style, layout, escapesTheirs: request.escapesTheirs });
}

function outputFormatFor(output: string, input: Format): OutputFormat {
  const named = output === '-' ? null : formatByName(output);
  if (named === 'xlsx')
    throw new Failure('usage', `-o ${output}: spreadsheets can be read but not written. Use CSV, which Excel opens.`);
  if (named !== null) return named === 'text' ? 'csv' : named;
  return input === 'tsv' || input === 'jsonl' ? input : 'csv';
}
