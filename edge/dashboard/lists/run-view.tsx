import { Notice } from '../parts/notice.tsx';
import { TroubleNotice } from '../parts/loaded.tsx';
import { buyPath } from '../route/buy-path.ts';
import { balance } from '../session/balance.ts';
import { CEILING_STATUS } from './run/run-trouble.ts';
import { credits } from '../words/numbers.ts';
import { ReadingFile } from './reading/reading.tsx';
import { Findings } from './findings.tsx';
import { Controls, Standing } from './run/controls.tsx';
import type { ListRun } from './run/list-run.ts';

type Props = {
  readonly run: ListRun;
  /** Verifies the suggested address; null: the suggestion is only shown. */
  readonly verify: ((email: string) => void) | null;
};

/** What came of a list, how far it is and what went wrong. */
export function RunView({ run, verify }: Props) {
  const phase = run.phase.value;
  if (phase === 'opening') return <ReadingFile words="Reading the list" percent={run.percent.value} />;
  if (phase === 'elsewhere') return <Elsewhere />;
  if (phase === 'closed')
    return run.trouble.value === null ? null : (
      <TroubleNotice trouble={run.trouble.value} retry={() => void run.open()} />
    );
  // What came of one address is its card, and nothing else stands around it.
  const isOne = run.isShort && run.results.size === 1;
  return (
    <>
      {!run.isDone && !isOne && <Controls run={run} />}
      <RunTrouble run={run} />
      <Findings run={run} verify={verify} />
      {isOne && <Standing run={run} />}
    </>
  );
}

function Elsewhere() {
  return (
    <Notice tone="plain" title="This list is open in another tab">
      <p>It is shown here when the other tab has finished, paused or closed it.</p>
    </Notice>
  );
}

function RunTrouble({ run }: Pick<Props, 'run'>) {
  const trouble = run.trouble.value;
  if (trouble === null) return null;
  if (trouble.status === 402)
    return (
      <Notice tone="doubt" title="Not enough credits">
        <p>
          {trouble.message} {balance.value !== null && `The account has ${credits(balance.value.credits)}. `}The results
          so far are kept: buy credits, then resume here.
        </p>
        <a class="button" href={buyPath(run.results.left - (balance.value?.credits ?? 0))}>
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
