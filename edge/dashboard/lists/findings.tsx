import { useMemo } from 'preact/hooks';
import { indexedDbJournal } from '../../../schema/client/browser/indexed-db-journal.ts';
import type { OpenResult } from '../../../schema/words/result.ts';
import { ResultCard } from '../parts/result-card.tsx';
import { StackedBar } from '../parts/stacked-bar.tsx';
import { counted } from '../words/numbers.ts';
import { Addresses } from './outcome/addresses.tsx';
import { Download } from './outcome/download.tsx';
import { textFormat } from './outcome/export.ts';
import { type Findings as Found, UNANSWERED } from './outcome/groups.ts';
import { Settled } from './run/controls.tsx';
import type { ListRun } from './run/list-run.ts';

type Props = {
  readonly run: ListRun;
  /** Verifies the suggested address; null: the suggestion is only shown. */
  readonly verify: ((email: string) => void) | null;
};

/** What came of a list: in total, and address by address; of a few that were pasted, every answer in full. */
export function Findings({ run, verify }: Props) {
  // Drawn again as answers come.
  const drawn = run.shown.value;
  const phase = run.phase.value;
  const found = useMemo(() => findingsOf(run), [drawn, phase, run]);
  const { results } = run;
  if (run.isShort)
    return (
      <>
        {results.size > 1 && results.answered > 0 && <Outcome run={run} />}
        <Answers run={run} verify={verify} />
        {results.size > 1 && results.answered > 0 && (
          <section class="card" aria-label="Download">
            <AsFile run={run} />
          </section>
        )}
      </>
    );
  if (results.answered === 0) return null;
  return (
    <>
      <Outcome run={run} />
      <Addresses findings={found} resultOf={(index) => resultOf(run.list.id, index)} />
    </>
  );
}

/** The summary, with the file of a list and, once nothing is left to do, the bill. */
function Outcome({ run }: Pick<Props, 'run'>) {
  const { addresses, rows } = run.survey.totals;
  // In rows, as in the file that is downloaded.
  const verdicts = useMemo(() => run.results.counts(run.survey).verdicts, [run.shown.value, run.phase.value, run]);
  return (
    <section class="card run" aria-labelledby="outcome-title">
      <div class="row">
        <h2 id="outcome-title">Outcome</h2>
        <p class="soft">
          {counted(addresses, 'unique address', 'unique addresses')} in {counted(rows, 'row', 'rows')}
        </p>
      </div>
      <StackedBar counts={verdicts} />
      {!run.isShort && <AsFile run={run} />}
      {run.isDone && <Settled run={run} />}
    </section>
  );
}

function AsFile({ run }: Pick<Props, 'run'>) {
  return <Download name={run.list.name} text={textFormat(run.table)} read={run} />;
}

function Answers({ run, verify }: Props) {
  void run.shown.value;
  const { answers } = run.results;
  return (
    <>
      {run.survey.addresses.map((email, index) => (
        <ResultCard
          key={email}
          email={email}
          result={answers[index] ?? null}
          isRunning={run.isGoing}
          verify={run.isGoing ? null : verify}
        />
      ))}
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
