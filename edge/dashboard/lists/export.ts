import { indexedDbJournal } from '../../../schema/client/browser/indexed-db-journal.ts';
import type { RowAnswer, RowResult } from '../../../schema/lists/columns/result-columns.ts';
import type { Row } from '../../../schema/lists/reading/row.ts';
import { namesOf } from '../../../schema/lists/reading/table.ts';
import { notAnAddress, spelling } from '../../../schema/words/result.ts';
import { BROKEN, EMPTY, SEVERAL, type Survey } from './content/survey.ts';
import type { StoredList } from './kept/stored.ts';
import { breather } from './reading/breather.ts';
import { type FileWish, writeFile } from './outcome/write-file.ts';
import type { Table } from './reading/open-file.ts';

/** A list of this browser that has been read. */
export type Read = {
  readonly list: Pick<StoredList, 'id' | 'choice'>;
  readonly survey: Survey;
  readonly table: Table | null;
};

/**
 * The list with its own columns and ours, row by row as it was, with the rows whose status is wanted.
 * A list that is being verified has the answers that it has got by now.
 * @throws RcptError JOURNAL_BROKEN; UnreadableList for a row that the format cannot hold
 */
export async function exportList(read: Read, wish: FileWish): Promise<Blob> {
  const { list, survey, table } = read;
  if (table === null) throw new Error('The file has not been read yet.');
  const { column, hasHeader } = list.choice;
  const answers = await answersOf(list.id, survey.addresses.length);
  const [first = []] = hasHeader ? await firstRow(table) : [];
  const names = namesOf(filled(first, survey.width), hasHeader);
  if (!hasHeader) names[column] = 'email';
  return writeFile(wish, { names, style: table.style }, answered(read, table, answers));
}

async function firstRow(table: Table): Promise<readonly (readonly string[])[]> {
  for await (const rows of table.rows()) return rows;
  return [];
}

/** Each row with what is to be said of it. */
async function* answered(
  { list, survey }: Read,
  table: Table,
  answers: (place: number) => RowResult | null,
): AsyncGenerator<readonly [Row, RowAnswer | null], undefined> {
  let index = list.choice.hasHeader ? -1 : 0;
  for await (const batch of table.wholeRows())
    for (const row of batch) {
      if (index >= 0) yield [row, answerOf(survey.placeOf(index), spelling(survey.emailIn(row.cells)), answers)];
      index += 1;
    }
}

function answerOf(place: number, email: string, answers: (place: number) => RowResult | null): RowAnswer | null {
  if (place === EMPTY) return null;
  if (place === SEVERAL) return 'several_addresses';
  const known = place === BROKEN ? { result: notAnAddress(email), asked: 0 } : answers(place);
  return known === null ? 'not_asked_yet' : { ...known, result: { ...known.result, email } };
}

/** Short rows are filled up, so that our columns stand below their names. */
function filled(row: readonly string[], width: number): string[] {
  return [...row, ...Array.from({ length: Math.max(0, width - row.length) }, () => '')];
}

/**
 * Every answer that is known, by address. A list may have a million: answers that are alike but for the address are kept
 * once, and so are the mail servers of a domain.
 */
async function answersOf(id: string, size: number) {
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
