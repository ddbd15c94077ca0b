import { accountShown, view } from '../../session/me.ts';
import { deleteList, type StoredList, storedLists } from '../kept/stored.ts';
import { ListRun } from './list-run.ts';

// The runs of this tab: a list that is under way goes on while other views are shown.

const runs = new Map<string, ListRun>();

/** The run of a list: the one that is under way, or a new one that reads the file first. */
export function runOf(list: StoredList): ListRun {
  const known = runs.get(list.id);
  if (known !== undefined) return known;
  // What is not under way is let go: a list of a million takes some 200 MB.
  for (const [id, { phase }] of runs) if (phase.value === 'still' || phase.value === 'closed') runs.delete(id);
  const run = new ListRun(list);
  runs.set(list.id, run);
  return run;
}

/** Lets go of a list that was deleted. */
export function forgetRun(id: string): void {
  runs.delete(id);
}

/** Ends what is under way in this tab for these accounts, and forgets their lists in this browser with all results. */
export async function deleteListsOf(accountIds: readonly string[]): Promise<void> {
  const kept = await Promise.all(accountIds.map((id) => storedLists(id)));
  for (const { id } of kept.flat()) {
    const run = runs.get(id);
    run?.abort();
    await run?.ended;
    runs.delete(id);
    await deleteList(id);
  }
}

/** Whether it is being verified in this tab now. */
export function isUnderWay(id: string): boolean {
  return runs.get(id)?.isGoing ?? false;
}

// An account pays for its own lists alone.
view.subscribe((shown) => {
  if (shown === null) return;
  for (const run of runs.values()) if (run.list.accountId !== accountShown()) run.abort();
});

// A tab that is closed by mistake: what is known is kept, but the reader should know that nothing goes on.
addEventListener('beforeunload', (event) => {
  if ([...runs.values()].some(({ isGoing }) => isGoing)) event.preventDefault();
});
