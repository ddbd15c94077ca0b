import { estimateOf, SAMPLE } from '../../../../schema/list-job/sample.ts';
import { Receipt } from '../../parts/receipt.tsx';
import { serviceTrouble } from '../../session/service-state.ts';
import { atTime, count, counted, credits, duration, progress } from '../../words/numbers.ts';
import type { ListRun } from './list-run.ts';
import { Button } from '../../parts/button.tsx';

type Props = { readonly run: ListRun };

/** How far a list is, what it has cost so far, and the buttons that make it go and stop. */
export function Controls({ run }: Props) {
  // Drawn again as answers come.
  void run.shown.value;
  const { size, answered } = run.results;
  return (
    <section class="card run" aria-label="Progress">
      <div class="row">
        <p class="figure">
          <strong>{progress(answered, size)}</strong>{' '}
          <span class="soft">
            {count(answered)} of {count(size)} answered
          </span>
        </p>
        <Buttons run={run} />
      </div>
      <progress max={Math.max(1, size)} value={answered} aria-label="Answered" />
      <p class="soft" role="status">
        {run.isGoing ? (obstacleOf(run) ?? paceOf(run)) : pausedOf(run)}
      </p>
      <Cost run={run} />
    </section>
  );
}

/** What is left to know of a list that is done: its bill, and what can be asked again. */
export function Settled({ run }: Props) {
  return (
    <>
      <div class="row">
        <p class="soft range" role="status">
          Every address has a result.
        </p>
        <Buttons run={run} />
      </div>
      <Cost run={run} />
    </>
  );
}

/** Of one address: what keeps its answer away, and what can be done about it. Nothing, mostly. */
export function Standing({ run }: Props) {
  void run.shown.value;
  const obstacle = obstacleOf(run);
  if (run.isGoing ? obstacle === null : run.results.left + run.results.waiting === 0) return null;
  return (
    <div class="row">
      <p class="soft range" role="status">
        {run.isGoing ? obstacle : !run.isDone && pausedOf(run)}
      </p>
      <Buttons run={run} />
    </div>
  );
}

function Cost({ run }: Props) {
  const { charged, returned, unconfirmed } = run.spending.cost.value;
  return (
    <Receipt
      label="What it has cost"
      lines={[
        ...(returned > 0 || !run.isShort
          ? [
              { label: 'Charged up front', value: credits(charged + returned) },
              { label: 'Returned', value: `− ${count(returned)}` },
            ]
          : []),
        ...(unconfirmed > 0 ? [{ label: 'In interrupted requests, at most', value: credits(unconfirmed) }] : []),
        { label: run.isDone ? 'Cost' : 'Cost so far', value: credits(charged), isTotal: true },
      ]}
    />
  );
}

function pausedOf(run: ListRun): string {
  return `Paused. ${counted(run.results.left, 'address', 'addresses')} still to verify${estimate(run)}.`;
}

/** What the rest would cost, going by what is known: a sample is meant to be judged by. */
function estimate({ results: { answered, left }, spending }: ListRun): string {
  const about = estimateOf(left, { answered, charged: spending.cost.value.charged });
  return about === null ? '' : `, for about ${credits(about)} if they are like the ${count(answered)} answered`;
}

/** What a run that is under way waits for; null: nothing but answers. */
function obstacleOf({ phase, attempt, results }: ListRun): string | null {
  if (phase.value === 'pausing')
    return 'Pausing: requests in progress are being finished, which takes up to 90 seconds …';
  if (serviceTrouble.value !== null) return `${serviceTrouble.value} Verification resumes by itself.`;
  const { speed, conflicts, putOff } = attempt;
  const { perSecond } = speed;
  if (conflicts > 0 && (perSecond ?? 0) === 0)
    return 'The service still holds an interrupted request, for four minutes at most. Verification resumes by itself.';
  return putOff !== null && results.left === 0
    ? `${counted(putOff.addresses, 'deferred address', 'deferred addresses')}, next try at ${atTime(putOff.untilMs)}. Keep this tab open; if it closes, you can retry from here.`
    : null;
}

function paceOf({ attempt: { speed } }: ListRun): string {
  const { perSecond } = speed;
  if (perSecond === null) return 'Starting …';
  if (perSecond === 0) return 'Waiting for answers …';
  const left = speed.leftS(performance.now());
  const rest = left === null ? '' : `, about ${duration(left)} left`;
  return `${count(Math.round(perSecond * 60))} a minute${rest}. Keep this tab open; if it closes, you can resume from here.`;
}

function Buttons({ run }: Props) {
  const phase = run.phase.value;
  const { left, waiting } = run.results;
  if (run.isGoing)
    return (
      <div class="row">
        {phase === 'waiting' && <Button words="Try now" onPress={() => run.patience.end()} />}
        <Button
          kind={phase === 'waiting' ? 'quiet' : undefined}
          words="Pause"
          isOff={phase === 'pausing'}
          onPress={() => run.pause()}
        />
      </div>
    );
  if (left > 0)
    return (
      <div class="row">
        {run.results.answered === 0 && left > SAMPLE && (
          <Button kind="quiet" words={`Sample of ${SAMPLE} first`} onPress={() => run.start(SAMPLE)} />
        )}
        <Button
          words={`${run.results.answered === 0 ? 'Start' : 'Resume'}: at most ${credits(left)}`}
          onPress={() => run.start()}
        />
      </div>
    );
  if (waiting > 0)
    return (
      <Button
        kind="quiet"
        words={`Retry ${counted(waiting, 'deferred address', 'deferred addresses')}: at most ${credits(waiting)}`}
        onPress={() => run.askAgain()}
      />
    );
  return null;
}
