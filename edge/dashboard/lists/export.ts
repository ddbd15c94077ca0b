import { indexedDbJournal } from '../../../schema/client/browser/indexed-db-journal.ts';
import { type RowResult, appendedTo } from '../../../schema/lists/columns/result-columns.ts';
import { namesOf } from '../../../schema/lists/reading/table.ts';
import { type RowWriter, rowWriter } from '../../../schema/lists/writing/row-writer.ts';
import type { Open } from '../../../schema/words/open.ts';
import { notAnAddress, spelling } from '../../../schema/words/result.ts';
import type { Status } from '../../../schema/words/verdicts.ts';
import { BROKEN, type Survey } from './content/survey.ts';
import type { StoredList } from './kept/stored.ts';
import { breather } from './reading/breather.ts';
import type { Table } from './reading/open-file.ts';

/** A list of this browser that has been read. */
export type Read = {
  readonly list: Pick<StoredList, 'id' | 'choice'>;
  readonly survey: Survey;
  readonly table: Table | null;
};

/**
 * The list with its own columns and ours, row by row as it was, with the rows whose status is wanted.
 * @param isWanted null stands for rows without an answer, which have no status
 * @throws RcptError while the list is being verified
 */
export async function exportList(read: Read, isWanted: (status: Open<Status> | null) => boolean): Promise<Blob> {
  const { list, survey, table } = read;
  if (table === null) throw new Error('The file has not been read yet.');
  const { column, hasHeader } = list.choice;
  const answers = await answersOf(list.id, survey.addresses.length);
  const parts: string[] = [];
  let writer: RowWriter | null = null;
  let index = 0;
  for await (const batch of table.rows()) {
    let rows = batch;
    if (writer === null) {
      const names = namesOf(filled(hasHeader ? (rows[0] ?? []) : [], survey.width), hasHeader);
      if (!hasHeader) names[column] = 'email';
      writer = writerFor(names, table);
      parts.push(writer.head);
      if (hasHeader) rows = rows.slice(1);
    }
    for (const cells of rows) {
      const place = survey.placeOf(index);
      index += 1;
      const email = spelling(survey.emailIn(cells));
      const known = place === BROKEN ? { result: notAnAddress(email), asked: 0 } : answers(place);
      if (!isWanted(known?.result.status ?? null)) continue;
      const answer = known === null ? null : { ...known, result: { ...known.result, email } };
      parts.push(writer.line({ line: index, cells, raw: null, kinds: null }, answer));
    }
  }
  return new Blob(parts, { type: 'text/csv;charset=utf-8' });
}

/** As Excel opens it: with a mark, and nothing that it would run. */
function writerFor(names: readonly string[], { style }: Table): RowWriter {
  return rowWriter({
    format: style.delimiter === '\t' ? 'tsv' : 'csv',
    style: { ...style, newline: '\r\n', hasMark: true },
    layout: appendedTo(names),
    escapesTheirs: true,
  });
}

/** Short rows are filled up, so that our columns stand below their names. */
function filled(row: readonly string[], width: number): string[] {
  return [...row, ...Array.from({ length: Math.max(0, width - row.length) }, () => '')];
}

/**
 * Every answer that is known, by address. A list may have a million: answers that are alike but for the address are kept
 * once, and so are the mail servers of a domain.
 */
async function answersOf(id: string, size: number): Promise<(place: number) => RowResult | null> {
  const kinds = new Distinct<RowResult>(size);
  const servers = new Distinct<readonly string[]>(size);
  const journal = indexedDbJournal(id);
  await journal.open(null);
  try {
    const breathe = breather();
    for (let index = 0; index < size; index += 1) {
      const record = await journal.known(index);
      if (record === null) continue;
      const { asked, result } = record;
      kinds.set(index, { asked, result: { ...result, email: '', mx_records: [] } });
      servers.set(index, result.mx_records);
      await breathe();
    }
  } finally {
    await journal.close();
  }
  return (place) => {
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

/** `customers.xlsx` → `customers-verified.csv` */
export function exportName(name: string): string {
  return `${name.replace(/\.[^.]*$/, '')}-verified.csv`;
}
