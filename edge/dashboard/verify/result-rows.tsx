import { useMemo } from 'preact/hooks';
import { explain } from '../../../schema/words/cases.ts';
import { countStatuses } from '../../../schema/words/status-counts.ts';
import { Addresses } from '../lists/outcome/addresses.tsx';
import { Download } from '../lists/outcome/download.tsx';
import { type Findings, Groups, UNANSWERED } from '../lists/outcome/groups.ts';
import { StackedBar } from '../parts/stacked-bar.tsx';
import { count } from '../words/numbers.ts';
import { waitOf } from '../words/verdict.ts';
import { Details } from './result-card.tsx';
import { savePasted } from './save-pasted.ts';
import type { Slot } from './verification.ts';

type Props = { readonly slots: readonly Slot[]; readonly isRunning: boolean };

/** Several results: how they are shared out, as a file, and each with its reason. */
export function ResultRows({ slots, isRunning }: Props) {
  const findings = useMemo(() => findingsOf(slots), [slots]);
  const statuses = slots.flatMap(({ result }) => (result === null ? [] : [result.status]));
  const counts = countStatuses(statuses.map((status) => [status, 1]));
  return (
    <>
      <section class="card" aria-label="Summary">
        <p role="status">
          {count(statuses.length)} of {count(slots.length)} answered{isRunning && ' …'}
        </p>
        <StackedBar counts={counts} />
        {statuses.length > 0 && (
          <Download name="pasted" statuses={[...counts.keys()]} write={(wish) => savePasted(slots, wish)} />
        )}
      </section>
      <Addresses findings={findings} more={(index) => <Why slot={slots[index]} isRunning={isRunning} />} />
    </>
  );
}

function findingsOf(slots: readonly Slot[]): Findings {
  const groups = new Groups();
  const numbers = slots.map(({ result }) =>
    result === null ? groups.add(null, UNANSWERED, 1) : groups.add(result.status, explain(result), 1),
  );
  return {
    size: slots.length,
    groups: groups.all,
    addressOf: (index) => slots[index]?.email ?? '',
    groupOf: (index) => numbers[index] ?? -1,
  };
}

/** What one result means, and what was seen. */
function Why({ slot, isRunning }: { readonly slot: Slot | undefined; readonly isRunning: boolean }) {
  const result = slot?.result ?? null;
  if (result === null) return isRunning ? <span class="soft"> Asking …</span> : null;
  const { meaning, advice } = explain(result);
  const again = waitOf(result);
  return (
    <details class="why-so">
      <summary>Why</summary>
      <p>
        {meaning} <strong>{advice}</strong> {again !== null && <span class="soft">{again}.</span>}
      </p>
      {result.did_you_mean !== null && <p>Did you mean {result.did_you_mean}?</p>}
      <Details result={result} />
    </details>
  );
}
