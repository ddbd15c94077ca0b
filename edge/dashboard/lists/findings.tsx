import { useState } from 'preact/hooks';
import { download } from '../download/save.ts';
import { useAction } from '../parts/action.ts';
import { Chip } from '../parts/chip.tsx';
import { TroubleNotice } from '../parts/loaded.tsx';
import { StackedBar } from '../parts/stacked-bar.tsx';
import { count, share } from '../words/numbers.ts';
import { explain } from '../../../schema/words/cases.ts';
import { statusClass, statusWords } from '../words/verdict.ts';
import { exportList, exportName } from './export.ts';
import type { ListRun } from './run/list-run.ts';

const SHOWN_MAX = 100;

type Filter =
  | { readonly by: 'all' }
  | { readonly by: 'status'; readonly status: string }
  | { readonly by: 'kind'; readonly kind: number };

/** What came of a list: by status and reason, with the addresses of each, and the file to take home. */
export function Findings({ run }: { readonly run: ListRun }) {
  const [filter, setFilter] = useState<Filter>({ by: 'all' });
  // Drawn again as answers come.
  void run.shown.value;
  const { results } = run;
  if (results.answered === 0) return null;
  return (
    <>
      <section class="card" aria-labelledby="outcome-title">
        <h2 id="outcome-title">Outcome</h2>
        <StackedBar counts={results.counts} />
        <Reasons run={run} filter={filter} setFilter={setFilter} />
      </section>
      <Download run={run} />
      <Addresses run={run} filter={filter} setFilter={setFilter} />
    </>
  );
}

type FilterProps = { readonly run: ListRun; readonly filter: Filter; readonly setFilter: (filter: Filter) => void };

function Reasons({ run: { results }, filter, setFilter }: FilterProps) {
  const kinds = results.kinds.map((kind, index) => ({ ...kind, index, size: results.countOf(index) }));
  const shown = kinds.filter(({ size }) => size > 0).toSorted((a, b) => b.size - a.size);
  return (
    <ul class="reasons">
      {shown.map(({ index, status, example, size }) => {
        const { title, advice } = explain(example);
        const isChosen = filter.by === 'kind' && filter.kind === index;
        return (
          <li key={index}>
            <button
              type="button"
              class="reason"
              aria-pressed={isChosen}
              onClick={() => setFilter(isChosen ? { by: 'all' } : { by: 'kind', kind: index })}
            >
              <Chip status={status} />
              <span class="reason-title">{title}</span>
              <span class="reason-size">
                {count(size)} <span class="soft">{share(size, results.answered)}</span>
              </span>
              <Meter part={size / results.answered} status={status} />
              <span class="reason-advice soft">{advice}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function Meter({ part, status }: { readonly part: number; readonly status: string }) {
  return (
    <svg class="meter" viewBox="0 0 1000 4" preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" width="1000" height="4" />
      <rect class={`fill ${statusClass(status)}`} width={Math.max(4, part * 1000)} height="4" />
    </svg>
  );
}

function Addresses({ run, filter, setFilter }: FilterProps) {
  const { results, survey } = run;
  const isWanted = (kind: number): boolean =>
    filter.by === 'all' ||
    (filter.by === 'kind' ? kind === filter.kind : results.kinds[kind]?.status === filter.status);
  const found = results.find(isWanted, SHOWN_MAX + 1);
  return (
    <section aria-labelledby="addresses-title">
      <div class="row">
        <h2 id="addresses-title">Addresses</h2>
        <label class="inline">
          Show{' '}
          <select
            value={filter.by === 'status' ? filter.status : filter.by}
            onChange={({ currentTarget: { value } }) =>
              setFilter(value === 'all' ? { by: 'all' } : { by: 'status', status: value })
            }
          >
            <option value="all">all</option>
            {filter.by === 'kind' && <option value="kind">the chosen reason</option>}
            {[...results.counts.keys()].map((status) => (
              <option key={status} value={status}>
                {statusWords(status).toLowerCase()}
              </option>
            ))}
          </select>
        </label>
      </div>
      {found.length === 0 ? (
        <p class="soft">No matching addresses so far.</p>
      ) : (
        <ul class="rows">
          {found.slice(0, SHOWN_MAX).map((index) => {
            const kind = results.kinds[results.kindOf(index) ?? -1];
            return (
              <li key={index} class="slot-head">
                <span class="address">{survey.addresses[index]}</span>
                {kind !== undefined && <span class="soft">{explain(kind.example).title}</span>}
                {kind !== undefined && <Chip status={kind.status} />}
              </li>
            );
          })}
        </ul>
      )}
      {found.length > SHOWN_MAX && <p class="soft">The first {SHOWN_MAX} are shown. The download has them all.</p>}
    </section>
  );
}

function Download({ run }: { readonly run: ListRun }) {
  const [unwanted, setUnwanted] = useState<ReadonlySet<string>>(new Set());
  const statuses = [...run.results.counts.keys()];
  const isStill = run.phase.value === 'still';
  const save = useAction(async () => {
    const file = await exportList(run, (status) => (status === null ? unwanted.size === 0 : !unwanted.has(status)));
    download(file, exportName(run.list.name));
  });
  const toggle = (status: string): void => {
    const next = new Set(unwanted);
    if (!next.delete(status)) next.add(status);
    setUnwanted(next);
  };
  return (
    <section class="card" aria-labelledby="download-title">
      <h2 id="download-title">Download</h2>
      <p class="soft">
        A CSV file with all your columns, followed by ours. Cells that a spreadsheet would run as a formula get an
        apostrophe in front.
      </p>
      <fieldset class="row">
        <legend class="hidden">Rows to download</legend>
        {statuses.map((status) => (
          <label key={status} class="check">
            <input type="checkbox" checked={!unwanted.has(status)} onChange={() => toggle(status)} />
            {statusWords(status)}
          </label>
        ))}
      </fieldset>
      <div class="row">
        <button
          type="button"
          disabled={!isStill || unwanted.size === statuses.length || save.isBusy.value}
          onClick={() => void save.run()}
        >
          {save.isBusy.value ? 'Writing the file …' : 'Download CSV'}
        </button>
        {!isStill && <span class="soft">Pause first, or wait until it is done.</span>}
      </div>
      {save.trouble.value !== null && <TroubleNotice trouble={save.trouble.value} />}
    </section>
  );
}
