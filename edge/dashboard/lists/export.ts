import { indexedDbJournal } from '../../../schema/client/browser/indexed-db-journal.ts';
import type { Scan } from '../../../schema/list-job/scan.ts';
import type { RowAnswer, RowResult } from '../../../schema/lists/columns/result-columns.ts';
import type { Row } from '../../../schema/lists/reading/row.ts';
import type { StoredList } from './kept/stored.ts';
import { breather } from './reading/breather.ts';
import { type FileWish, writeFile } from './outcome/write-file.ts';
import type { Table } from './reading/open-file.ts';

/** A list of this browser that has been read. */
export type Read = {
  readonly list: Pick<StoredList, 'id' | 'choice'>;
  readonly survey: Scan;
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
  const answers = await answersOf(list.id, survey.addresses.length);
  const names = [...table.names];
  if (!table.hasHeader) names[list.choice.column] = 'email';
  return writeFile(wish, { names, style: table.style, above: table.above }, answered(survey, table, answers));
}

/** Each row with what is to be said of it. */
async function* answered(
  survey: Scan,
  table: Table,
  answers: (number: number) => RowResult | null,
): AsyncGenerator<readonly [Row, RowAnswer | null], undefined> {
  let nth = 0;
  for await (const batch of table.rows())
    for (const row of batch) {
      const number = survey.numberOf(nth);
      yield [row, survey.answerOf(nth, row.cells, number === null ? null : answers(number))];
      nth += 1;
    }
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
