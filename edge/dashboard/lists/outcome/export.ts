import { indexedDbJournal } from '../../../../schema/client/browser/indexed-db-journal.ts';
import { exportList } from '../../../../schema/list-job/export.ts';
import type { Keep } from '../../../../schema/list-job/keep.ts';
import type { Scan } from '../../../../schema/list-job/scan.ts';
import { appendedTo, type RowResult } from '../../../../schema/lists/columns/result-columns.ts';
import type { StoredList } from '../kept/stored.ts';
import { breather } from '../reading/breather.ts';
import type { Table } from '../reading/open-file.ts';

/** A list of this browser that has been read. */
export type Read = {
  readonly list: Pick<StoredList, 'id' | 'choice'>;
  readonly survey: Scan;
  readonly table: Table | null;
};

/** What the reader wants to have in a file. */
export type FileWish = { readonly format: keyof typeof TYPES; readonly keep: Keep };

const TYPES = {
  csv: 'text/csv;charset=utf-8',
  tsv: 'text/tab-separated-values;charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

/** The text format of a list's own kind; that of a workbook is CSV. */
export function textFormat(table: Table | null): 'csv' | 'tsv' {
  return table?.style.delimiter === '\t' ? 'tsv' : 'csv';
}

/** `customers.xlsx` → `customers-verified.csv`. @param which rows it has */
export function fileName(name: string, which: string, format: FileWish['format']): string {
  return `${name.replace(/\.[^.]*$/, '')}-${which}.${format}`;
}

/**
 * The list with its own columns and ours, row by row as it was, with the rows that are wanted.
 * A list that is being verified has the answers that it has got by now.
 * @throws RcptError JOURNAL_BROKEN; UnreadableList for a row that the format cannot hold
 */
export async function exportedFile({ list, survey, table }: Read, { format, keep }: FileWish) {
  if (table === null) throw new Error('The file has not been read yet.');
  const names = [...table.names];
  if (!table.hasHeader) names[list.choice.column] = 'email';
  // As Excel opens it.
  const style = { ...table.style, newline: '\r\n', hasMark: true } as const;
  const form = { format, style, layout: appendedTo(names), above: table.above };
  const resultOf = await resultsOf(list.id, survey.addresses.length);
  const parts: (string | Uint8Array<ArrayBuffer>)[] = [];
  const rows = await exportList({ table, scan: survey, form, keep, resultOf }, async (piece) => void parts.push(piece));
  return { rows, file: new Blob(parts, { type: TYPES[format] }) };
}

/**
 * Every answer that is known, by address. A list may have a million: answers that are alike but for the address are kept
 * once, and so are the mail servers of a domain.
 */
async function resultsOf(id: string, size: number) {
  const kinds = new Distinct<RowResult>(size);
  const servers = new Distinct<readonly string[]>(size);
  const breathe = breather();
  for await (const { index, asked, result } of indexedDbJournal(id).records()) {
    kinds.set(index, { asked, result: { ...result, email: '', mx_records: [] } });
    servers.set(index, result.mx_records);
    await breathe();
  }
  return (place: number): RowResult | null => {
    const kind = kinds.get(place);
    if (kind === null) return null;
    return { ...kind, result: { ...kind.result, mx_records: [...(servers.get(place) ?? [])] } };
  };
}

/** Values by place; equal ones are held once. */
class Distinct<Value> {
  readonly #values: Value[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #numberOf: Int32Array;

  constructor(size: number) {
    this.#numberOf = new Int32Array(size).fill(-1);
  }

  get(place: number): Value | null {
    return this.#values[this.#numberOf[place] ?? -1] ?? null;
  }

  set(place: number, value: Value): void {
    const name = JSON.stringify(value);
    let number = this.#numbers.get(name);
    if (number === undefined) {
      number = this.#values.push(value) - 1;
      this.#numbers.set(name, number);
    }
    this.#numberOf[place] = number;
  }
}
