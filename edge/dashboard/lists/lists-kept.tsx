import { useEffect } from 'preact/hooks';
import { useResource } from '../session/load.ts';
import { signedIn } from '../session/me.ts';
import { Loaded } from '../parts/loaded.tsx';
import { atMoment, count, progress as share } from '../words/numbers.ts';
import { indexedDbJournal } from '../../../schema/client/browser/indexed-db-journal.ts';
import { type Progress, progressOf, saves, type StoredList, storedLists } from './kept/stored.ts';
import { isUnderWay } from './run/runs.ts';

/** How often a list that runs in another tab is looked at. */
const LOOK_EVERY_MS = 2_000;

type Kept = { readonly list: StoredList; readonly progress: Progress; readonly isElsewhere: boolean };

async function readKept(accountId: string): Promise<readonly Kept[]> {
  const lists = (await storedLists(accountId)).filter(({ isPasted }) => !isPasted);
  return Promise.all(lists.map(keptOf));
}

async function keptOf(list: StoredList): Promise<Kept> {
  const isElsewhere = !isUnderWay(list.id) && (await indexedDbJournal(list.id).isInUse());
  return { list, progress: await progressOf(list.id), isElsewhere };
}

/** The lists of this account that this browser keeps. */
export function ListsKept() {
  const kept = useResource(() => readKept(signedIn().account.id));
  const saved = saves.value;
  useEffect(() => {
    if (saved > 0) void kept.reload();
  }, [saved]);
  const { value } = kept.load;
  useEffect(() => {
    if (value.state !== 'ready' || !value.value.some(({ isElsewhere }) => isElsewhere)) return;
    const timer = setTimeout(() => void kept.reload(), LOOK_EVERY_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return (
    <section aria-labelledby="kept-title">
      <h2 id="kept-title">In this browser</h2>
      <Loaded load={value} reload={() => void kept.reload()}>
        {(lists) =>
          lists.length === 0 ? (
            <p class="soft">No lists yet. A list that you start stays here, results included, until you delete it.</p>
          ) : (
            <ul class="cards">
              {lists.map(({ list, ...known }) => (
                <li key={list.id}>
                  <a class="card list-card" href={`/lists/${list.id}`}>
                    <strong class="wrap">{list.name}</strong>
                    <span class="soft">{atMoment(list.createdAt)}</span>
                    <span>{count(list.totals.addresses)} addresses</span>
                    <span class="state">{stateOf(list, known)}</span>
                  </a>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}

function stateOf({ id, totals }: StoredList, { progress: { answered }, isElsewhere }: Omit<Kept, 'list'>): string {
  if (isElsewhere) return 'Running in another tab';
  if (answered >= totals.addresses) return 'Done';
  const done = share(answered, totals.addresses);
  return isUnderWay(id) ? `Running, ${done}` : answered === 0 ? 'Not started' : `Paused at ${done}`;
}
