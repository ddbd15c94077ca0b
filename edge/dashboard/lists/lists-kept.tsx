import { useEffect } from 'preact/hooks';
import { useResource } from '../session/load.ts';
import { signedIn } from '../session/me.ts';
import { Loaded } from '../parts/loaded.tsx';
import { atMoment, count, share } from '../words/numbers.ts';
import { type Progress, progressOf, saves, type StoredList, storedLists } from './kept/stored.ts';
import { isUnderWay } from './run/runs.ts';

type Kept = { readonly list: StoredList; readonly progress: Progress };

async function readKept(accountId: string): Promise<readonly Kept[]> {
  const lists = (await storedLists(accountId)).filter(({ isPasted }) => !isPasted);
  return Promise.all(lists.map(async (list) => ({ list, progress: await progressOf(list.id) })));
}

/** The lists of this account that this browser keeps. */
export function ListsKept() {
  const kept = useResource(() => readKept(signedIn().account.id));
  const saved = saves.value;
  useEffect(() => {
    if (saved > 0) void kept.reload();
  }, [saved]);
  return (
    <section aria-labelledby="kept-title">
      <h2 id="kept-title">In this browser</h2>
      <Loaded load={kept.load.value} reload={() => void kept.reload()}>
        {(lists) =>
          lists.length === 0 ? (
            <p class="soft">No lists yet. A list that you start stays here, results included, until you delete it.</p>
          ) : (
            <ul class="cards">
              {lists.map(({ list, progress }) => (
                <li key={list.id}>
                  <a class="card list-card" href={`/lists/${list.id}`}>
                    <strong class="wrap">{list.name}</strong>
                    <span class="soft">{atMoment(list.createdAt)}</span>
                    <span>{count(list.totals.addresses)} addresses</span>
                    <span class="state">{stateOf(list, progress)}</span>
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

function stateOf({ id, totals }: StoredList, { answered }: Progress): string {
  if (answered >= totals.addresses) return 'Done';
  const part = share(answered, totals.addresses);
  return isUnderWay(id) ? `Running, ${part}` : answered === 0 ? 'Not started' : `Paused at ${part}`;
}
