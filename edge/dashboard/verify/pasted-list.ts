import { signal } from '@preact/signals';
import { csvLine } from '../../../schema/lists/writing/csv.ts';
import { deleteList, keepList, type StoredList, storedLists } from '../lists/kept/stored.ts';
import type { ListRun } from '../lists/run/list-run.ts';
import { forgetRun, runOf } from '../lists/run/runs.ts';

// What is pasted is a list like any other, of one column. This browser keeps the last one of each account.

/** More than that is a list: its own page reads it from a file, and goes on after a crash. */
export const PASTED_MAX = 5_000;

/** The run of what was pasted last; null: there is none. */
export const pasted = signal<ListRun | null>(null);

/** Shows what this browser keeps of an account. @throws Trouble if it keeps nothing */
export async function bringPasted(accountId: string): Promise<void> {
  const [last] = await pastedLists(accountId);
  pasted.value = last === undefined ? null : runOf(last);
}

/** Verifies these, at one credit each at most. @throws Trouble if this browser keeps nothing */
export async function verifyPasted(accountId: string, emails: readonly string[]): Promise<void> {
  await forgetPasted(accountId);
  const file = new Blob([csvLine(['email'], ',', '\n'), ...emails.map((email) => csvLine([email], ',', '\n'))]);
  const size = emails.length;
  const list: StoredList = {
    id: crypto.randomUUID(),
    accountId,
    name: 'pasted.csv',
    file,
    choice: { column: 0, hasHeader: true, sheet: null, encoding: 'utf-8', delimiter: ',' },
    totals: { rows: size, addresses: size, duplicates: 0, empty: 0, several: 0, none: 0, excluded: 0 },
    fingerprint: null,
    createdAt: new Date().toISOString(),
    isPasted: true,
  };
  await keepList(list);
  const run = runOf(list);
  pasted.value = run;
  await run.opened;
  void run.start();
}

export async function forgetPasted(accountId: string): Promise<void> {
  pasted.value = null;
  for (const { id } of await pastedLists(accountId)) {
    forgetRun(id);
    // One that another tab is verifying stays with it.
    await deleteList(id).catch(() => {});
  }
}

async function pastedLists(accountId: string): Promise<readonly StoredList[]> {
  return (await storedLists(accountId)).filter(({ isPasted }) => isPasted);
}
