import { signal } from '@preact/signals';
import { answer } from '../../../../schema/client/browser/answer.ts';
import { indexedDbJournal } from '../../../../schema/client/browser/indexed-db-journal.ts';
import type { ColumnChoice } from '../content/columns.ts';
import type { Totals } from '../../../../schema/list-job/scan.ts';
import type { Open } from '../../../../schema/words/open.ts';
import type { Status } from '../../../../schema/words/verdicts.ts';
import { openDatabase } from '../../session/database.ts';

// Lists as this browser keeps them, with their files, so that they outlive a closed tab. Nothing of it is sent anywhere.

export type StoredList = {
  readonly id: string;
  /** Whose: another account that signs in here does not see it. */
  readonly accountId: string;
  readonly name: string;
  readonly file: Blob;
  readonly choice: ColumnChoice;
  readonly totals: Totals;
  /** Of its addresses; null of what was pasted. */
  readonly fingerprint: string | null;
  readonly createdAt: string;
  /** It came from no file: the page that it was pasted in shows it. */
  readonly isPasted: boolean;
};

/** What a list has come to; kept apart from its file, which never changes. */
export type Progress = {
  readonly answered: number;
  /** How often an address may be asked. */
  readonly rounds: number;
  /** How many rows have which status. */
  readonly verdicts: ReadonlyArray<readonly [status: Open<Status>, rows: number]>;
};
const NO_PROGRESS: Progress = { answered: 0, rounds: 1, verdicts: [] };

const DATABASE = 'rcpt-lists';
const LISTS = 'lists';
const PROGRESS = 'progress';

let opened: Promise<IDBDatabase> | null = null;

/** @throws Trouble if the browser keeps nothing */
function database(): Promise<IDBDatabase> {
  opened ??= openDatabase(DATABASE, (made) => {
    made.createObjectStore(LISTS, { keyPath: 'id' });
    made.createObjectStore(PROGRESS);
  }).catch((error: unknown) => {
    // Tried again with the next list.
    opened = null;
    throw error;
  });
  return opened;
}

/** The lists of an account in this browser, newest first. */
export async function storedLists(accountId: string): Promise<readonly StoredList[]> {
  const store = (await database()).transaction(LISTS).objectStore(LISTS);
  const all: StoredList[] = await answer(store.getAll());
  return all.filter((list) => list.accountId === accountId).toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
}

/** The last list of the account in this browser with these very addresses, and what it has come to; null: there is none. */
export async function storedLike(accountId: string, fingerprint: string) {
  const list = (await storedLists(accountId)).find((each) => each.fingerprint === fingerprint);
  return list === undefined ? null : { list, progress: await progressOf(list.id) };
}

/** Null if this browser has no such list of that account. */
export async function storedList(accountId: string, id: string): Promise<StoredList | null> {
  const store = (await database()).transaction(LISTS).objectStore(LISTS);
  const list: StoredList | undefined = await answer(store.get(id));
  return list?.accountId === accountId ? list : null;
}

export async function keepList(list: StoredList): Promise<void> {
  const store = (await database()).transaction(LISTS, 'readwrite').objectStore(LISTS);
  await answer(store.put(list));
  // Asks the browser not to throw it away when space runs short; some ask the reader, some just decide.
  void navigator.storage?.persist?.();
}

export async function progressOf(id: string): Promise<Progress> {
  const store = (await database()).transaction(PROGRESS).objectStore(PROGRESS);
  // An earlier version kept no verdicts.
  const kept: Partial<Progress> | undefined = await answer(store.get(id));
  return { ...NO_PROGRESS, ...kept };
}

export async function keepProgress(id: string, progress: Progress): Promise<void> {
  const store = (await database()).transaction(PROGRESS, 'readwrite').objectStore(PROGRESS);
  await answer(store.put(progress, id));
  saves.value += 1;
}

/** Changes with every progress that was kept. */
export const saves = signal(0);

/** Forgets a list, its file and its results. @throws RcptError JOURNAL_IN_USE while it is being verified */
export async function deleteList(id: string): Promise<void> {
  await indexedDbJournal(id).delete();
  const transaction = (await database()).transaction([LISTS, PROGRESS], 'readwrite');
  await Promise.all([
    answer(transaction.objectStore(LISTS).delete(id)),
    answer(transaction.objectStore(PROGRESS).delete(id)),
  ]);
}
