import { Batches } from '../journal/batches.ts';
import { RcptError } from '../base/errors.ts';
import { journalOf, readRecord } from '../journal/journal.ts';
import type { Journal, JournalRecord, OpenedJournal } from '../journal/journal.ts';
import { addCosts, type Cost, type JournalRequest, NO_COST, readCost, readRequest } from '../journal/requests.ts';
import type { Requests } from '../journal/requests.ts';
import { isRecord } from '../wire/read-line.ts';
import { answer } from './answer.ts';
import { hold, isHeld, released } from './hold.ts';

const VERSION = 2;
const RECORDS = 'records';
/** Holds the cost of ended requests. */
const LISTS = 'lists';
const SPENT = 1;
/** Requests whose cost is not known yet, by their keys. */
const REQUESTS = 'requests';
/** Places that are read together: a resumed list asks for one after the other. */
const READ_AHEAD = 1_000;

/** A journal in the browser. */
export type IndexedDbJournal = Journal & {
  /** @throws RcptError JOURNAL_IN_USE while a run uses it; JOURNAL_BROKEN */
  readonly delete: () => Promise<void>;
  /** All records in the order of the list, from a place on, also during a run. @throws RcptError JOURNAL_BROKEN */
  readonly records: (from?: number) => AsyncGenerator<JournalRecord, undefined>;
  /** Whether a run uses it now, in any tab. */
  readonly isInUse: () => Promise<boolean>;
  /** Resolves when no run uses it, in any tab. */
  readonly released: () => Promise<void>;
};

/**
 * A journal in a database of its own in the browser, for pages and workers. It survives a tab that is closed or crashes:
 * batches are written whole or not at all. A second tab is refused, by a lock that the browser releases with the tab. The
 * page must be a secure context: HTTPS or localhost.
 *
 * @param name distinguishes the journals of one origin
 */
export function indexedDbJournal(name: string): IndexedDbJournal {
  const database = `rcpt-journal:${name}`;
  const journal = journalOf(() => openJournal(database));
  return {
    ...journal,
    delete: () => remove(database),
    records: (from = 0) => readAll(database, from),
    isInUse: () => isHeld(database),
    released: () => released(database),
  };
}

async function openJournal(name: string): Promise<OpenJournal> {
  const letGo = await lock(name);
  let database: IDBDatabase | null = null;
  try {
    database = await openDatabase(name);
    return new OpenJournal(database, letGo);
  } catch (error) {
    database?.close();
    await letGo();
    throw broken(error);
  }
}

async function* readAll(name: string, first: number): AsyncGenerator<JournalRecord, undefined> {
  let database: IDBDatabase | null = null;
  try {
    database = await openDatabase(name);
    const end = await answer(database.transaction(RECORDS).objectStore(RECORDS).openKeyCursor(null, 'prev'));
    const last = Number(end?.key ?? -1);
    for (let from = first; from <= last; from += READ_AHEAD)
      for (const record of await recordsFrom(database, from)) {
        const read = readRecord(record);
        if (read !== null) yield read;
      }
  } catch (error) {
    throw broken(error);
  } finally {
    database?.close();
  }
}

/** The records of the places that are read together, from this one on. */
async function recordsFrom(database: IDBDatabase, from: number): Promise<readonly unknown[]> {
  const range = IDBKeyRange.bound(from, from + READ_AHEAD - 1);
  return answer(database.transaction(RECORDS).objectStore(RECORDS).getAll(range));
}

async function remove(name: string): Promise<void> {
  const letGo = await lock(name);
  try {
    await orBroken(answer(indexedDB.deleteDatabase(name)));
  } finally {
    await letGo();
  }
}

/** @throws RcptError JOURNAL_IN_USE, JOURNAL_BROKEN */
async function lock(name: string): Promise<() => Promise<void>> {
  const letGo = await orBroken(hold(name));
  if (letGo === null)
    throw new RcptError('JOURNAL_IN_USE', 'The journal is in use by another tab, or by another run in this one.');
  return letGo;
}

/** Records of places that are read together, from `from` on. */
type Ahead = { readonly from: number; readonly read: Promise<ReadonlyMap<unknown, unknown>> };

class OpenJournal implements OpenedJournal {
  readonly #database: IDBDatabase;
  readonly #letGo: () => Promise<void>;
  readonly #records = new Batches<JournalRecord>((records) => this.#write(records));
  #ahead: Ahead | null = null;

  constructor(database: IDBDatabase, letGo: () => Promise<void>) {
    this.#database = database;
    this.#letGo = letGo;
    // After the site's data is cleared, the next write fails.
    database.addEventListener('versionchange', () => database.close());
  }

  async known(index: number): Promise<JournalRecord | null> {
    const from = index - (index % READ_AHEAD);
    if (this.#ahead?.from !== from) this.#ahead = { from, read: this.#readFrom(from) };
    return readRecord((await this.#ahead.read).get(index));
  }

  append(record: JournalRecord): Promise<void> {
    if (this.#ahead?.from === record.index - (record.index % READ_AHEAD)) this.#ahead = null;
    return this.#records.add(record);
  }

  requests(): Promise<Requests> {
    return orBroken(requestsIn(this.#database));
  }

  async begin(request: JournalRequest): Promise<void> {
    await this.#change([REQUESTS], (transaction) => void transaction.objectStore(REQUESTS).put(request));
  }

  async end(key: string, cost: Cost): Promise<void> {
    await this.#change([REQUESTS, LISTS], (transaction) => {
      transaction.objectStore(REQUESTS).delete(key);
      const lists = transaction.objectStore(LISTS);
      const spent = lists.get(SPENT);
      spent.addEventListener('success', () => {
        const before: unknown = spent.result;
        lists.put(addCosts(readCost(before) ?? NO_COST, cost), SPENT);
      });
    });
  }

  async close(): Promise<void> {
    await this.#records.end();
    this.#database.close();
    await this.#letGo();
  }

  async #readFrom(from: number): Promise<ReadonlyMap<unknown, unknown>> {
    await this.#records.end();
    const records = await orBroken(recordsFrom(this.#database, from));
    return new Map(records.filter(isRecord).map((record) => [record['index'], record]));
  }

  #write(records: readonly JournalRecord[]): Promise<void> {
    return this.#change([RECORDS], (transaction) => {
      const store = transaction.objectStore(RECORDS);
      for (const record of records) store.put(record);
    });
  }

  async #change(stores: readonly string[], change: (transaction: IDBTransaction) => void): Promise<void> {
    try {
      const transaction = this.#database.transaction(stores, 'readwrite', { durability: 'strict' });
      change(transaction);
      await commit(transaction);
    } catch (error) {
      throw broken(error);
    }
  }
}

async function requestsIn(database: IDBDatabase): Promise<Requests> {
  const transaction = database.transaction([REQUESTS, LISTS]);
  const open: unknown[] = await answer(transaction.objectStore(REQUESTS).getAll());
  const spent: unknown = await answer(transaction.objectStore(LISTS).get(SPENT));
  return { open: open.map(readRequest).filter((one) => one !== null), spent: readCost(spent) ?? NO_COST };
}

function openDatabase(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, VERSION);
  request.addEventListener('upgradeneeded', () => {
    request.result.createObjectStore(RECORDS, { keyPath: 'index' });
    request.result.createObjectStore(LISTS);
    request.result.createObjectStore(REQUESTS, { keyPath: 'key' });
  });
  return answer(request);
}

function commit(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('aborted')));
  });
}

/** @throws RcptError JOURNAL_BROKEN for whatever the work fails at */
function orBroken<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw broken(error);
  });
}

function broken(error: unknown): RcptError {
  if (error instanceof RcptError) return error;
  const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new RcptError('JOURNAL_BROKEN', `The journal cannot be read or written in this browser: ${words}`, {
    cause: error,
  });
}
