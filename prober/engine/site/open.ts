import type { ClientContext } from './client-context.ts';
import type { LimitDecision } from '../limits/connection-limits.ts';
import type { Permit, Refusal } from '../limits/permit.ts';
import type { SessionEnd } from '../ports/observer.ts';
import type { Lane } from '../ports/lane.ts';
import type { Account, DrawsFor, Random } from '../ports/ports.ts';
import type { EngineSettings } from '../ports/settings.ts';
import type { Ends } from '../ports/cancel.ts';
import { keepLatest } from '../../../schema/keep-latest.ts';
import { OUTCOMES } from '../../../schema/outcomes.ts';
import type { Tracer } from '../smtp/wire/connection.ts';
import { type Failed, failed, type SessionFailure } from '../smtp/failure.ts';
import { openEarly } from '../smtp/pipeconnect.ts';
import { openSession, type Session } from '../smtp/session.ts';
import { dialTarget, type Target } from '../targets/targets.ts';
import type { Held, Task } from './worker.ts';

/** The domain that a task is for. */
export type Asker = {
  readonly job: {
    readonly account: Account;
    readonly deadlineMs: number;
    readonly failures: Failures;
  };
  readonly domain: string;
  draws(what: Parameters<DrawsFor>[1]): Random;
  readonly signal: Ends;
  readonly lane: Lane;
  /** It has MX records; otherwise its own address is dialled, an implicit MX. */
  readonly mxFound: boolean;
};

/** How dialled addresses failed others of the request: by silence, or by a 5xx before RCPT and a cool-down. */
export type Failures = Map<string, Failed & { readonly atMs: number }>;
const FAILURES_MAX = 10_000;

export function noteFailure(failures: Failures, { ip }: Target, failure: Failed, atMs: number): Failed {
  keepLatest(failures, ip, { ...failure, atMs }, FAILURES_MAX);
  return failure;
}

/** Of our envelope sender: every domain there would hear the same. */
export function refusesSender({ failure: { outcome } }: Failed): boolean {
  return outcome !== null && OUTCOMES[outcome.kind].refusesSender;
}

/** How the server failed others of the request, where that is believed without asking again. */
export function knownFailure({ asker, target, patienceMs }: Task): Failed | null {
  const met = asker.job.failures.get(target.ip);
  if (met === undefined) return null;
  const { cause, outcome } = met.failure;
  if (refusesSender(met)) return met;
  return cause === 'timeout' && (outcome !== null || patienceMs < Infinity) ? met : null;
}

/** A connection that takes longer to open gives its domain's lane back meanwhile: dead hosts hold up nobody. */
const HELD_MS = 200;

/** Opens a session that the limits permit, and waits for the domain's lane if that was given back meanwhile. */
export async function openInLane(context: ClientContext, task: Task, permit: Permit): Promise<Held | Failed> {
  const { lane, signal } = task.asker;
  if (task.helps !== null) return openPermitted(context, task, permit);
  let isLeft = false;
  const disarm = context.ports.clock.after(HELD_MS, () => {
    isLeft = true;
    lane.leave();
  });
  try {
    const opened = await openPermitted(context, task, permit);
    if (isLeft && opened.kind === 'open') await untilReady(lane, signal);
    return opened;
  } finally {
    disarm();
    lane.enter();
  }
}

function untilReady(lane: Lane, signal: Ends): Promise<void> {
  return new Promise((resolve) => {
    const retry = (): void => {
      if (!signal.aborted && !lane.isReady(retry)) return;
      signal.removeEventListener('abort', retry);
      // At once: another may be told as well that it is free.
      lane.enter();
      resolve();
    };
    signal.addEventListener('abort', retry);
    retry();
  });
}

/** Opens a session that the limits permit; if there is none to be had, the permit is given back. */
async function openPermitted(context: ClientContext, task: Task, permit: Permit): Promise<Held | Failed> {
  const { settings, pipeconnect, classify } = context;
  const { asker, target, patienceMs } = task;
  const { greetingMs, connectMs, commandMs } = settings.timeouts;
  const opening = {
    call: {
      dial: context.ports.dial,
      clock: context.ports.clock,
      target: dialTarget(target, permit.egress.ip),
      limits: { connectMs: Math.min(connectMs, patienceMs), greetingMs: Math.min(greetingMs, patienceMs) },
      signal: asker.signal,
      trace: tracer(context, target),
    },
    host: target.host,
    heloName: permit.egress.heloName,
    commandMs,
    patienceMs,
    implicit: !asker.mxFound,
    classify,
  };
  const early = mayBeEarly(task, permit, settings)
    ? pipeconnect.recall(asker.job.account, permit.egress.ip, target)
    : null;
  const onHello = (session: Session): void => {
    pipeconnect.remember(asker.job.account, permit.egress.ip, target, session);
    permit.accepted();
  };
  const opened = await (early === null ? openSession(opening) : openEarly(opening, early, onHello));
  if (opened.kind === 'failed') {
    const end = endOf(opened.failure);
    if (end !== null) settings.observer?.sessionEnded(permit.seat, end);
    if (!isCutShort(opened.failure, patienceMs, settings.timeouts))
      return giveBack(permit, opened, task, context.ports.clock.now());
    permit.release('neutral');
    const cutShort = failed(opened.failure.stage, 'timeout', null);
    return noteFailure(asker.job.failures, target, cutShort, context.ports.clock.now());
  }
  if (early === null) onHello(opened.session);
  return { kind: 'open', session: opened.session, permit };
}

/** For the observer: no recipient could be asked about. Without a connection there was no session: null. */
function endOf({ stage, cause, outcome, complaint }: SessionFailure): SessionEnd | null {
  if (stage === 'limits' || stage === 'dial' || cause === 'no_route') return null;
  if (cause === 'ended') return 'cut_off';
  const isDeferral = outcome !== null && OUTCOMES[outcome.kind].defers && complaint === null;
  return `${stage}_${isDeferral ? 'deferred' : cause}`;
}

/** Commands before the greeting, of a server that offered PIPECONNECT: not where that would be no session of its own. */
function mayBeEarly({ isOwn, asker }: Task, { server }: Permit, { startTls }: EngineSettings): boolean {
  return !isOwn && asker.mxFound && !server.wantsTls && startTls !== 'always';
}

function isCutShort({ stage, cause }: SessionFailure, patienceMs: number, usual: EngineSettings['timeouts']): boolean {
  const usualMs = { limits: 0, dial: usual.connectMs, greeting: usual.greetingMs, hello: usual.commandMs };
  return cause === 'timeout' && patienceMs < usualMs[stage];
}

/** No session: a complaint is reported to the limits, unless it may be about our other connections. */
function giveBack(permit: Permit, opened: Failed, { asker, target, helps }: Task, now: number): Failed {
  const { failure } = opened;
  const meaning = failure.outcome === null ? null : OUTCOMES[failure.outcome.kind];
  const how = refusalOf(failure, meaning?.defers === true);
  const isOurs = how !== null && permit.refused(how);
  if (!isOurs && meaning?.turnedAway === true) noteFailure(asker.job.failures, target, opened, now);
  const isBelieved = helps === null && (!isOurs || how === 'named');
  permit.release((isBelieved ? failure.complaint : null) ?? 'neutral');
  return isOurs ? { ...opened, failure: { ...failure, isOurs } } : opened;
}

/** In which way our other connections may be the reason; null: they cannot be. */
function refusalOf({ stage, cause, complaint }: SessionFailure, isDeferred: boolean): Refusal | null {
  if (stage === 'limits') return null;
  if (cause === 'timeout') return 'silent';
  if (cause !== 'refused' && cause !== 'lost') return null;
  if (complaint?.isAboutConcurrency === true) return 'full';
  if (isDeferred && complaint?.why !== 'blocked') return 'rate';
  return complaint === null ? 'closed' : 'named';
}

/** This host has no address of the family: another host may learn more, and the fleet's do not change any sooner. */
const NO_ADDRESS_S = 3_600;

/** The limits give no permit. */
export function turnedAway(decision: Exclude<LimitDecision, { readonly kind: 'go' }>, { asker, target }: Task): Failed {
  switch (decision.kind) {
    case 'ended':
      return failed('limits', 'ended', null);
    case 'no_egress':
      return failed('limits', 'no_route', { kind: 'unprobed', why: 'cooldown', waitS: NO_ADDRESS_S });
    case 'cooling': {
      const met = asker.job.failures.get(target.ip);
      if (met?.failure.cause === 'refused') return met;
      return failed('limits', 'refused', { kind: 'unprobed', why: 'cooldown', waitS: decision.waitS });
    }
  }
}

function tracer({ settings, ports, nextSession }: ClientContext, target: Target): Tracer | null {
  const { trace } = settings;
  if (trace === undefined) return null;
  const session = nextSession();
  const { clock } = ports;
  const { host, ip } = target;
  return (direction, line) => trace({ atMs: clock.now(), session, host, ip, direction, line });
}
