import { useMemo, useState } from 'preact/hooks';
import { useResource } from '../session/load.ts';
import { signedIn } from '../session/me.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Loaded, TroubleNotice, Waiting } from '../parts/loaded.tsx';
import { Notice } from '../parts/notice.tsx';
import { CEILING_STATUS } from '../session/run-trouble.ts';
import { visit } from '../route/route.ts';
import { atMoment, count, counted, credits } from '../words/numbers.ts';
import { balance } from '../session/balance.ts';
import { inOtherTabs } from './run/other-tabs.ts';
import { Controls } from './run/controls.tsx';
import { Findings } from './findings.tsx';
import type { ListRun } from './run/list-run.ts';
import { forgetRun, runOf } from './run/runs.ts';
import { deleteList, storedList, type StoredList } from './kept/stored.ts';

/** One list: how far it is, what came of it, and the way to take it home. */
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
        <button
          type="button"
          class="quiet"
          disabled={phase !== 'still' && phase !== 'closed'}
          onClick={() => setIsDeleting(true)}
        >
          Delete
        </button>
      </div>
      {phase === 'opening' && <Waiting as="part" />}
      {phase === 'closed' && run.trouble.value !== null && (
        <TroubleNotice trouble={run.trouble.value} retry={() => void run.open()} />
      )}
      {phase === 'elsewhere' && <Elsewhere id={list.id} />}
      {phase !== 'opening' && phase !== 'closed' && phase !== 'elsewhere' && (
        <>
          <Controls run={run} />
          <RunTrouble run={run} />
          <Findings run={run} />
        </>
      )}
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

function Elsewhere({ id }: { readonly id: string }) {
  const far = inOtherTabs.value.get(id);
  return (
    <Notice tone="plain" title="This list is open in another tab">
      {far !== undefined && (
        <>
          <p>
            It is being verified there: {count(far.answered)} of {count(far.size)} answered.
          </p>
          <progress max={Math.max(1, far.size)} value={far.answered} aria-label="Answered" />
        </>
      )}
      <p>It is shown here when the other tab has finished, paused or closed it.</p>
    </Notice>
  );
}

function RunTrouble({ run }: { readonly run: ListRun }) {
  const trouble = run.trouble.value;
  if (trouble === null) return null;
  if (trouble.status === 402)
    return (
      <Notice tone="doubt" title="Not enough credits">
        <p>
          {trouble.message} {balance.value !== null && `The account has ${credits(balance.value.credits)}. `}The results
          so far are kept: buy credits, then resume here.
        </p>
        <a class="button" href="/buy">
          Buy credits
        </a>
      </Notice>
    );
  if (trouble.status === CEILING_STATUS)
    return (
      <Notice tone="doubt" title="Paused at the agreed price">
        <p>{trouble.message} Resume to verify the rest at the price shown.</p>
      </Notice>
    );
  return <TroubleNotice trouble={trouble} />;
}
