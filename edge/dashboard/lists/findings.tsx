import { useMemo } from 'preact/hooks';
import { explain } from '../../../schema/words/cases.ts';
import { StackedBar } from '../parts/stacked-bar.tsx';
import { counted } from '../words/numbers.ts';
import { exportList } from './export.ts';
import { Addresses } from './outcome/addresses.tsx';
import { Download } from './outcome/download.tsx';
import { type Findings as Found, Groups, UNANSWERED } from './outcome/groups.ts';
import type { ListRun } from './run/list-run.ts';

/** What came of a list: in all, as a file to take home, and address by address. */
export function Findings({ run }: { readonly run: ListRun }) {
  // Drawn again as answers come.
  const drawn = run.shown.value;
  const phase = run.phase.value;
  const found = useMemo(() => findingsOf(run), [drawn, phase, run]);
  const { results, survey } = run;
  const { addresses, rows } = survey.totals;
  if (results.answered === 0 || (run.isShort && results.size === 1)) return null;
  return (
    <>
      <section class="card" aria-labelledby="outcome-title">
        <div class="row">
          <h2 id="outcome-title">Outcome</h2>
          <p class="soft">
            {counted(addresses, 'unique address', 'unique addresses')} in {counted(rows, 'row', 'rows')}
          </p>
        </div>
        <StackedBar counts={results.counts} />
        <Download name={run.list.name} statuses={[...results.counts.keys()]} write={(wish) => exportList(run, wish)} />
      </section>
      {!run.isShort && <Addresses findings={found} />}
    </>
  );
}

function findingsOf({ results, survey }: ListRun): Found {
  const groups = new Groups();
  const numbers = results.kinds.map(({ status, example }, kind) =>
    groups.add(status, explain(example), results.countOf(kind)),
  );
  const unanswered = groups.add(null, UNANSWERED, results.size - results.answered);
  return {
    size: results.size,
    groups: groups.all,
    addressOf: (index) => survey.addresses[index] ?? '',
    groupOf: (index) => numbers[results.kindOf(index) ?? -1] ?? unanswered,
  };
}
