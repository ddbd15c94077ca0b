import { useMemo, useState } from 'preact/hooks';
import { useResource } from '../session/load.ts';
import { signedIn } from '../session/me.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { visit } from '../route/route.ts';
import { atMoment, counted } from '../words/numbers.ts';
import { RunView } from './run-view.tsx';
import { forgetRun, runOf } from './run/runs.ts';
import { deleteList, storedList, type StoredList } from './kept/stored.ts';
import { Button } from '../parts/button.tsx';

/** One list: its progress, its results, and its download. */
export function ListPage({ id }: { readonly id: string }) {
  const list = useResource(() => storedList(signedIn().account.id, id));
  return (
    <Loaded load={list.load.value} reload={() => void list.reload()} as="page">
      {(known) => (known === null ? <NotHere /> : <Known list={known} />)}
    </Loaded>
  );
}

function NotHere() {
  return (
    <>
      <h1>This list is not in this browser</h1>
      <p>A list stays in the browser it was started in, and only there. It may have been deleted.</p>
      <a class="button" href="/lists">
        All lists
      </a>
    </>
  );
}

function Known({ list }: { readonly list: StoredList }) {
  const run = useMemo(() => runOf(list), [list.id]);
  const [isDeleting, setIsDeleting] = useState(false);
  const phase = run.phase.value;
  return (
    <>
      <nav aria-label="Where you are" class="crumbs">
        <a href="/lists">Lists</a>
      </nav>
      <div class="row">
        <h1 class="wrap">{list.name}</h1>
        <span class="soft">{atMoment(list.createdAt)}</span>
        <Button
          kind="quiet"
          words="Delete"
          isOff={phase !== 'still' && phase !== 'closed'}
          onPress={() => setIsDeleting(true)}
        />
      </div>
      <RunView run={run} verify={null} />
      {isDeleting && (
        <Confirm
          title="Delete this list?"
          verb="Delete"
          close={() => setIsDeleting(false)}
          work={async () => {
            await deleteList(list.id);
            forgetRun(list.id);
            visit('/lists', 'replace');
          }}
        >
          <p>
            The file and {counted(run.results.answered, 'result', 'results')} are removed from this browser. They are
            stored nowhere else and cannot be recovered.
          </p>
        </Confirm>
      )}
    </>
  );
}
