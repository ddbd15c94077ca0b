import { useEffect } from 'preact/hooks';
import { useResource } from '../session/load.ts';
import { signedIn } from '../session/me.ts';
import { type Action, useAction } from '../parts/action.ts';
import { Loaded, TroubleNotice } from '../parts/loaded.tsx';
import { Bar, sumOf } from '../parts/stacked-bar.tsx';
import { numbers, Table } from '../parts/table.tsx';
import { atMoment, count, counted, progress as doneOf, share } from '../words/numbers.ts';
import { statusWords } from '../words/verdict.ts';
import { KEEP_ALL } from '../../../schema/list-job/keep.ts';
import { indexedDbJournal } from '../../../schema/client/browser/indexed-db-journal.ts';
import { countStatuses } from '../../../schema/words/status-counts.ts';
import { download } from '../download/save.ts';
import { type Progress, progressOf, saves, type StoredList, storedLists } from './kept/stored.ts';
import { exportedFile, fileName, textFormat } from './outcome/export.ts';
import { isUnderWay, runOf } from './run/runs.ts';
import { Button } from '../parts/button.tsx';

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
  const save = useAction(saveFile);
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
            <Table
              named={{ by: 'kept-title' }}
              columns={[
                'List',
                numbers('Addresses'),
                'Outcome',
                numbers('Valid'),
                { words: <span class="hidden">Actions</span> },
              ]}
              kind="kept"
            >
              {lists.map((one) => (
                <Row key={one.list.id} kept={one} save={save} />
              ))}
            </Table>
          )
        }
      </Loaded>
      {save.trouble.value !== null && <TroubleNotice trouble={save.trouble.value} />}
    </section>
  );
}

function Row({ kept, save }: { readonly kept: Kept; readonly save: Action<[StoredList]> }) {
  const { list, progress } = kept;
  const { rows, addresses, duplicates } = list.totals;
  const verdicts = countStatuses(progress.verdicts);
  const done = sumOf(verdicts);
  const says = [...verdicts].map(([status, some]) => `${statusWords(status)} ${count(some)}`).join(', ');
  return (
    <tr>
      <th scope="row">
        <a class="wrap" href={`/lists/${list.id}`}>
          <bdi>{list.name}</bdi>
        </a>
        <span class="soft">{atMoment(list.createdAt)}</span>
      </th>
      <td class="number">
        {count(addresses)}
        <span class="unit"> {addresses === 1 ? 'address' : 'addresses'}</span>
        {rows !== addresses && <span class="soft"> in {counted(rows, 'row', 'rows')}</span>}
      </td>
      <td class="bar-cell">
        <Bar counts={verdicts} all={addresses + duplicates} says={done === 0 ? null : says} />
        <span class="soft">{stateOf(kept)}</span>
      </td>
      <td class="number">
        {done === 0 ? '–' : share(verdicts.get('valid') ?? 0, done)}
        <span class="unit"> valid</span>
      </td>
      <td class="end">
        {progress.answered > 0 && (
          <Button
            kind="quiet"
            words="Download"
            label={`Download ${list.name}`}
            busy={save}
            onPress={() => save.run(list)}
          />
        )}
      </td>
    </tr>
  );
}

/** Hands out a list with all its rows and what is known of them by now. */
async function saveFile(list: StoredList): Promise<void> {
  const run = runOf(list);
  await run.opened;
  const format = textFormat(run.table);
  const { file } = await exportedFile(run, { format, keep: KEEP_ALL });
  download(file, fileName(list.name, 'verified', format));
}

function stateOf({ list: { id, totals }, progress: { answered }, isElsewhere }: Kept): string {
  if (isElsewhere) return 'Running in another tab';
  if (answered >= totals.addresses) return 'Done';
  const done = doneOf(answered, totals.addresses);
  return isUnderWay(id) ? `Running, ${done}` : answered === 0 ? 'Not started' : `Paused at ${done}`;
}
