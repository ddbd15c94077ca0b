import { Receipt } from '../../parts/receipt.tsx';
import { count, counted, credits, duration, share } from '../../words/numbers.ts';
import type { ListRun } from './list-run.ts';

/** How far a list is, what it has cost, and the buttons that make it go and stop. */
export function Controls({ run }: { readonly run: ListRun }) {
  const phase = run.phase.value;
  const progress = run.progress.value;
  if (progress === null) return null;
  const { size, answered } = run.results;
  const isRunning = phase === 'running' || phase === 'pausing';
  return (
    <section class="card run" aria-label="Progress">
      <div class="row">
        <p class="figure">
          <strong>{share(answered, size)}</strong>{' '}
          <span class="soft">
            {count(answered)} of {count(size)}
          </span>
        </p>
        <Buttons run={run} />
      </div>
      <progress max={Math.max(1, size)} value={answered} aria-label="Answered" />
      <p class="soft" role="status">
        {isRunning
          ? speedOf(run)
          : answered === size
            ? 'Every address has a result.'
            : `Paused. ${counted(run.left, 'address', 'addresses')} still to verify.`}
      </p>
      <Receipt
        label="What it has cost"
        lines={[
          { label: 'Charged up front', value: credits(progress.charged + progress.returned) },
          { label: 'Returned', value: `− ${count(progress.returned)}` },
          ...(progress.unsure > 0
            ? [{ label: 'In interrupted requests, at most', value: credits(progress.unsure) }]
            : []),
          { label: 'Cost so far', value: credits(progress.charged), isTotal: true },
        ]}
      />
    </section>
  );
}

function speedOf({ phase, rate, left }: ListRun): string {
  if (phase.value === 'pausing') return 'Pausing …';
  const { perMinute } = rate;
  if (perMinute === null) return 'Starting …';
  if (perMinute === 0) return 'Waiting for answers …';
  const seconds = rate.secondsFor(left);
  return `${count(Math.round(perMinute))} a minute${seconds === null || left === 0 ? '' : `, about ${duration(seconds)} left`}. Keep this tab open; if it closes, you can resume from here.`;
}

function Buttons({ run }: { readonly run: ListRun }) {
  const phase = run.phase.value;
  const { left } = run;
  const { waiting } = run.results;
  if (phase === 'running' || phase === 'pausing')
    return (
      <button type="button" disabled={phase === 'pausing'} onClick={() => run.pause()}>
        Pause
      </button>
    );
  if (left > 0)
    return (
      <button type="button" onClick={() => void run.start()}>
        {run.results.answered === 0 ? 'Start' : 'Resume'}: at most {credits(left)}
      </button>
    );
  if (waiting > 0)
    return (
      <button type="button" class="quiet" onClick={() => void run.askAgain()}>
        Retry {counted(waiting, 'deferred address', 'deferred addresses')}: at most {credits(waiting)}
      </button>
    );
  return null;
}
