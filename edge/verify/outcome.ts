import { codeOf, type Failure, FAILURES, RequestError } from '../../schema/errors.ts';
import { stepOf, type TrafficCounts } from '../../schema/words/traffic.ts';
import type { Call } from '../base/call.ts';
import { causeOf } from '../base/fault-cause.ts';
import { noteCall } from '../call-log/note-call.ts';
import { countTraffic } from '../base/traffic.ts';
import { writePoint } from './analytics.ts';
import type { Ended, Held } from './batch.ts';
import { endAnswered } from './end.ts';

// How a request for a verification ended. It is told once, to everyone who counts requests.

/** The record as far as it had grown. */
type Unfinished = Partial<Held> & { readonly delivered?: never };

type Kind =
  | { readonly kind: 'answered'; readonly batch: Ended }
  /** The caller left before the end of its answer. */
  | { readonly kind: 'gone'; readonly batch: Ended | Unfinished }
  | { readonly kind: 'refused'; readonly batch: Unfinished; readonly failure: Failure }
  /** Through a fault of ours. */
  | {
      readonly kind: 'failed';
      readonly batch: Unfinished;
      readonly failure: Failure;
      readonly cause: 'fleet' | ReturnType<typeof causeOf>;
    };
export type Outcome = Kind & { readonly call: Call; readonly ms: number };

/** What the steps of a request report. */
export type Progress = {
  /** Called once, or never if the caller disconnected. */
  readonly answer: (response: Response) => void;
  /** The record of the request has grown. */
  readonly reached: (batch: Unfinished) => void;
};

/** Nobody reads it: the status is nginx's for a client that closed its request. */
const LEFT = 499;

/**
 * Runs a request to its end, and tells how it ended. When the caller disconnects the runtime drops the handler without
 * notice, `finally` included: only what was handed to waitUntil goes on.
 * @param run returns the batch as it ended, null if the caller left before; throws a RequestError for every answer but
 * 200
 */
export function conclude(call: Call, run: (progress: Progress) => Promise<Ended | null>): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  let batch: Unfinished = {};
  const reached: Progress['reached'] = (grown) => void (batch = grown);
  const ended = run({ answer: resolve, reached }).then(
    (finished): Kind => {
      if (finished?.delivered.isWhole === true) return { kind: 'answered', batch: finished };
      resolve(new Response(null, { status: LEFT }));
      return { kind: 'gone', batch: finished ?? batch };
    },
    (error: unknown) => {
      reject(error);
      return whyUnanswered(call, batch, error);
    },
  );
  call.waitUntil(ended.then((how) => tell({ ...how, call, ms: Date.now() - call.startedMs })));
  return promise;
}

function whyUnanswered(call: Call, batch: Unfinished, error: unknown): Kind {
  if (!(error instanceof RequestError)) return { kind: 'failed', batch, failure: 'UNEXPECTED', cause: causeOf(error) };
  const { failure } = error;
  if (FAILURES[failure].status === 500)
    return { kind: 'failed', batch, failure, cause: error.cause === undefined ? 'fleet' : causeOf(error.cause) };
  return call.request.signal.aborted ? { kind: 'gone', batch } : { kind: 'refused', batch, failure };
}

/** Another listener is added here. */
async function tell(outcome: Outcome): Promise<void> {
  tellTraffic(outcome);
  tellAnalytics(outcome);
  tellCallLog(outcome);
  await tellLedger(outcome);
}

function tellTraffic(outcome: Outcome): void {
  const { call, ms } = outcome;
  switch (outcome.kind) {
    case 'answered': {
      const { bearer, entries, delivered } = outcome.batch;
      if (bearer.kind === 'test') return;
      return countTraffic(call, {
        calls: 1,
        addresses: entries.addresses.length,
        [stepOf(ms)]: 1,
        ...named('status', delivered.counts),
        ...named('reason', delivered.reasons),
      });
    }
    case 'gone':
      return countTraffic(call, { gone: 1 });
    case 'refused':
      return;
    case 'failed':
      return countTraffic(call, { calls: 1, faults: 1, [`fault_${outcome.cause}`]: 1 });
  }
}

function named(prefix: string, counts: TrafficCounts): TrafficCounts {
  return Object.fromEntries(
    Object.entries(counts).flatMap(([name, n]) => (n === 0 ? [] : [[`${prefix}_${name}`, n] as const])),
  );
}

function tellAnalytics({ call, batch, ms }: Outcome): void {
  if (batch.delivered === undefined || batch.bearer.kind === 'test') return;
  const { accountId, entries, delivered } = batch;
  const [charged, addresses] = [delivered.charged.length, entries.addresses.length];
  writePoint(call.env.ANALYTICS, { accountId, charged, addresses, elapsedMs: ms, reasons: delivered.reasons });
}

/** The account's log of its calls. A call that held credits is in it with its hold, once that is settled. */
function tellCallLog(outcome: Outcome): void {
  const { call, batch, ms } = outcome;
  const { bearer, entries, due } = batch;
  if (bearer === undefined || (due !== undefined && due.size > 0)) return;
  noteCall(call, bearer, { ...answerOf(outcome), entries: entries?.slots.length ?? null, ms });
}

/** What the caller was answered, or would have been. */
function answerOf(outcome: Outcome): { readonly status: number; readonly code: string | null } {
  switch (outcome.kind) {
    case 'answered':
      return { status: 200, code: null };
    case 'gone':
      return { status: LEFT, code: null };
    case 'refused':
    case 'failed':
      return { status: FAILURES[outcome.failure].status, code: codeOf(outcome.failure) };
  }
}

/** Settles what was delivered, counts it for the account's statement, and writes the batch's log line once that is done. */
async function tellLedger(outcome: Outcome): Promise<void> {
  const { kind, batch, ms } = outcome;
  if (batch.delivered === undefined) return;
  const { accountId, entries, due, delivered, fleet, holdMs } = batch;
  const note = {
    accountId,
    entries: entries.slots.length,
    addresses: entries.addresses.length,
    held: due.size,
    charged: delivered.charged.length,
    callerGone: kind === 'gone',
    holdMs,
    fleetMs: fleet.ms,
    elapsedMs: ms,
    hosts: [...fleet.hosts].join(' '),
    jobs: fleet.jobs,
    outcomes: countsIn(delivered.counts, delivered.reasons),
  };
  await endAnswered(batch, { status: answerOf(outcome).status, ms }, note);
}

/** `valid 3, no_mx 1`. */
function countsIn(...counts: readonly TrafficCounts[]): string {
  const some = counts.flatMap((each) => Object.entries(each).filter(([, n]) => n > 0));
  return some.map(([name, n]) => `${name} ${n}`).join(', ');
}
