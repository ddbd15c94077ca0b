import { useMemo } from 'preact/hooks';
import { indexedDbJournal } from '../../../schema/client/browser/indexed-db-journal.ts';
import type { OpenResult } from '../../../schema/words/result.ts';
import { StackedBar } from '../parts/stacked-bar.tsx';
import { counted } from '../words/numbers.ts';
import { Addresses } from './outcome/addresses.tsx';
import { Download } from './outcome/download.tsx';
import { type Findings as Found, UNANSWERED } from './outcome/groups.ts';
import type { ListRun } from './run/list-run.ts';

/** What came of a list: in total, as a download, and address by address. */
export function Findings({ run }: { readonly run: ListRun }) {
  // Drawn again as answers come.
  const drawn = run.shown.value;
  const phase = run.phase.value;
  const found = useMemo(() => findingsOf(run), [drawn, phase, run]);
  // In rows, as in the file that is downloaded.
  const verdicts = useMemo(() => run.results.counts(run.survey).verdicts, [drawn, phase, run]);
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
        <StackedBar counts={verdicts} />
        <Download name={run.list.name} text={run.table?.style.delimiter === '\t' ? 'tsv' : 'csv'} read={run} />
      </section>
      {!run.isShort && <Addresses findings={found} resultOf={(index) => resultOf(run.list.id, index)} />}
    </>
  );
}

/** From the journal: memory holds but the kind of each. */
async function resultOf(id: string, wanted: number): Promise<OpenResult | null> {
  for await (const { index, result } of indexedDbJournal(id).records(wanted)) return index === wanted ? result : null;
  return null;
}

function findingsOf({ results, survey }: ListRun): Found {
  const { kinds, size, answered } = results;
  const groups = kinds.map((kind, number) => ({ ...kind, size: results.countOf(number) }));
  return {
    size,
    groups: [...groups, { ...UNANSWERED, size: size - answered }],
    addressOf: (index) => survey.addresses[index] ?? '',
    groupOf: (index) => results.kindOf(index) ?? groups.length,
  };
}
