import { appendedTo, replacedIn } from '../../../schema/lists/columns/result-columns.ts';
import { type Format, formatByName } from '../../../schema/lists/reading/format.ts';
import type { OutputFormat } from '../../../schema/lists/writing/list-writer.ts';
import type { RowForm } from '../../../schema/lists/writing/row-writer.ts';
import type { Table } from '../table/open-table.ts';
import type { Report } from './report.ts';
import type { VerifyRequest } from './request.ts';

/** How the rows of a table that has been read are written. */
export function formOf(request: VerifyRequest, table: Table, report: Report): RowForm<OutputFormat> {
  const { columns, only, escapesTheirs } = request;
  const layout = (only === null ? null : replacedIn(table.names, columns)) ?? appendedTo(table.names, columns);
  const first = layout.names[layout.places[0] ?? -1] ?? '';
  if (/^rcpt_\d/.test(first))
    report.inform(`The list already has columns of an earlier run: the new ones are named ${first} and so on.`);
  return { format: formatOf(request, table.format), style: table.style, layout, escapesTheirs };
}

/** As it was asked for, as the output's name says, or as the list is. */
export function formatOf({ output, outputFormat }: VerifyRequest, input: Format): OutputFormat {
  const named = output === '-' ? null : formatByName(output);
  if (outputFormat !== null) return outputFormat;
  if (named !== null) return named === 'text' ? 'csv' : named;
  return input === 'tsv' || input === 'jsonl' ? input : 'csv';
}
