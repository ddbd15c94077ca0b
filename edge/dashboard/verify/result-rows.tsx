import { countStatuses, type StatusCounts } from '../../../schema/words/status-counts.ts';
import { Chip } from '../parts/chip.tsx';
import { StackedBar } from '../parts/stacked-bar.tsx';
import { count } from '../words/numbers.ts';
import { explain } from '../../../schema/words/cases.ts';
import { waitOf } from '../words/verdict.ts';
import { Details } from './result-card.tsx';
import type { Slot } from './verification.ts';

/** More rows than that are slow to lay out, and nobody reads them. */
const SHOWN_MAX = 500;

/** Several results: how they are shared out, and each with its reason. */
export function ResultRows({ slots, isRunning }: { readonly slots: readonly Slot[]; readonly isRunning: boolean }) {
  const statuses = slots.flatMap(({ result }) => (result === null ? [] : [result.status]));
  const counts = countStatuses(statuses.map((status) => [status, 1]));
  return (
    <>
      <Summary counts={counts} answered={statuses.length} all={slots.length} isRunning={isRunning} />
      <ul class="rows">
        {slots.slice(0, SHOWN_MAX).map((slot) => (
          <Row key={slot.email} slot={slot} isRunning={isRunning} />
        ))}
      </ul>
      {slots.length > SHOWN_MAX && <p class="soft">The first {count(SHOWN_MAX)} are shown.</p>}
    </>
  );
}

type SummaryProps = {
  readonly counts: StatusCounts;
  readonly answered: number;
  readonly all: number;
  readonly isRunning: boolean;
};

function Summary({ counts, answered, all, isRunning }: SummaryProps) {
  return (
    <div class="card">
      <p role="status">
        {count(answered)} of {count(all)} answered{isRunning && ' …'}
      </p>
      <StackedBar counts={counts} />
    </div>
  );
}

function Row({ slot: { email, result }, isRunning }: { readonly slot: Slot; readonly isRunning: boolean }) {
  if (result === null)
    return (
      <li class="slot">
        <span class="address">{email}</span>
        <span class="soft">{isRunning ? 'Asking …' : 'Not asked'}</span>
      </li>
    );
  const { title, meaning, advice } = explain(result);
  const again = waitOf(result);
  return (
    <li class="slot">
      <div class="slot-head">
        <span class="address">{email}</span>
        <Chip status={result.status} />
      </div>
      <p>
        <strong>{title}.</strong> {advice} {again !== null && <span class="soft">{again}.</span>}
      </p>
      <details>
        <summary>Why</summary>
        <p>{meaning}</p>
        {result.did_you_mean !== null && <p>Did you mean {result.did_you_mean}?</p>}
        <Details result={result} />
      </details>
    </li>
  );
}
