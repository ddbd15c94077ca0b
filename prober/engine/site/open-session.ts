import type { Ends } from '../ports/cancel.ts';
import type { LimitDecision } from '../limits/connection-limits.ts';
import type { Permit } from '../limits/permit.ts';
import type { Lane } from '../ports/lane.ts';
import type { Account, DrawsFor, Random } from '../ports/ports.ts';
import type { Egress, EngineSettings } from '../ports/settings.ts';
import type { Spent } from '../ports/spent.ts';
import { keepLatest } from '../../../schema/keep-latest.ts';
import { refusesUs } from '../../../schema/outcomes.ts';
import { type Opening, openSession } from '../smtp/session.ts';
import { type Failed, failed, isOfCrowd, type SessionFailure } from '../smtp/failure.ts';
import { SessionWatch } from './session-watch.ts';
import type { Target } from '../targets/targets.ts';
import type { Tracer } from '../smtp/connection.ts';
import type { Held } from './held-session.ts';
import type { Tools } from './tools.ts';

export type Asker = {
  readonly job: {
    readonly account: Account;
    readonly deadlineMs: number;
    readonly spent: Spent;
    readonly failures: Failures;
  };
  readonly domain: string;
  draws(what: Parameters<DrawsFor>[1]): Random;
  readonly signal: Ends;
  readonly lane: Lane;
  /** It has MX records; otherwise its own address is dialled, an implicit MX. */
  readonly mxFound: boolean;
  /** A session must open within this time; another server is asked then. */
  readonly patienceMs: number;
};

/** How dialled addresses failed others of the request: by silence, or by a 5xx before RCPT and a cool-down. */
export type Failures = Map<string, Failed>;
const FAILURES_MAX = 10_000;

export function noteFailure(failures: Failures, { ip }: Target, failure: Failed): Failed {
  keepLatest(failures, ip, failure, FAILURES_MAX);
  return failure;
}

/** No session could be had, perhaps because of our other ones there: that is no evidence. */
export type Crowded = { readonly kind: 'crowded'; readonly failure: SessionFailure };

/**
 * Opens a session that the limits permit; the permit is given back if there is none to be had, but not after a bug.
 * @param wanted `helps` another session of the domain: what the server says may be because of that one
 */
export function openPermitted(
  tools: Tools,
  asker: Asker,
  target: Target,
  permit: Permit,
  { early, helps }: { readonly early: boolean; readonly helps?: object },
): Promise<Held | Crowded | Failed> {
  const { settings, pipeconnect } = tools;
  const { account } = asker.job;
  const { egress } = permit;
  const watch = settings.observer === undefined ? null : new SessionWatch(settings.observer, permit.seat);
  const offer = early ? pipeconnect.recall(account, egress.ip, target) : null;
  return openSession(openingOf(tools, asker, target, egress), offer).then((opened) => {
    if (opened.kind === 'failed') {
      watch?.failed(opened.failure);
      if (!isCutShort(opened.failure, asker, settings.timeouts))
        return giveBack(permit, opened, asker, target, helps !== undefined);
      permit.release('neutral');
      return noteFailure(asker.job.failures, target, failed(opened.failure.stage, 'timeout', null));
    }
    if (offer === null) {
      pipeconnect.remember(account, egress.ip, target, opened.session);
      permit.accepted();
    }
    opened.session.commandMs = settings.timeouts.commandMs;
    return { kind: 'open', session: opened.session, permit, watch };
  });
}

function isCutShort(
  { stage, cause }: SessionFailure,
  { patienceMs }: Asker,
  usual: EngineSettings['timeouts'],
): boolean {
  const usualMs = { limits: 0, dial: usual.connectMs, greeting: usual.greetingMs, hello: usual.commandMs };
  return cause === 'timeout' && patienceMs < usualMs[stage];
}

function openingOf(tools: Tools, asker: Asker, target: Target, egress: Egress): Opening {
  const { ports, settings, classify } = tools;
  const { connectMs, greetingMs, commandMs } = settings.timeouts;
  const { patienceMs } = asker;
  return {
    call: {
      dial: ports.dial,
      clock: ports.clock,
      target: { ip: target.ip, port: target.port, from: egress.ip },
      limits: { connectMs: Math.min(connectMs, patienceMs), greetingMs: Math.min(greetingMs, patienceMs) },
      signal: asker.signal,
      trace: tracer(tools, target),
    },
    host: target.host,
    heloName: egress.heloName,
    commandMs: Math.min(commandMs, patienceMs),
    implicit: !asker.mxFound,
    classify,
  };
}

/** No session: a complaint is reported to the limits, unless it may be about our other connections. */
function giveBack(permit: Permit, opened: Failed, { job }: Asker, target: Target, helps: boolean): Failed | Crowded {
  const { failure } = opened;
  const { complaint } = failure;
  const hasOwnCause = complaint !== null && complaint.isAboutConcurrency !== true;
  const how = failure.cause === 'timeout' ? 'silent' : hasOwnCause ? 'named' : 'other';
  const isOfCrowded = isOfCrowd(opened) && permit.rejected(how);
  // A deferral right after many connections of ours may be because of them. If only those open at once are too many,
  // there is one fewer from now on, and the rest need no pause.
  const isOfOpen = isOfCrowded && complaint?.isAboutConcurrency === true;
  const isPutOff = failure.outcome?.kind === 'deferred' && complaint?.why !== 'blocked' && !isOfOpen;
  const isOfOurs = isPutOff && !helps && permit.deferred('opening');
  const isBelieved = complaint !== null && !isOfOurs && !helps && (!isOfCrowded || hasOwnCause);
  const isCrowded = isOfCrowded || isOfOurs;
  const { outcome } = failure;
  if (!isCrowded && outcome !== null && (outcome.kind === 'no_banner' || refusesUs(outcome)))
    noteFailure(job.failures, target, opened);
  permit.release(isBelieved ? complaint : 'neutral');
  return isCrowded ? { kind: 'crowded', failure } : opened;
}

/** This host has no address of the family: another host may learn more, and the fleet's do not change any sooner. */
const NO_ADDRESS_S = 3_600;

/** The limits give no permit. @param met how the server failed others of the request */
export function turnedAway(decision: Exclude<LimitDecision, { readonly kind: 'go' }>, met: Failed | undefined): Failed {
  switch (decision.kind) {
    case 'ended':
      return failed('limits', 'ended', null);
    case 'no_egress':
      return failed('limits', 'no_route', { kind: 'unprobed', why: 'cooldown', waitS: NO_ADDRESS_S });
    case 'cooling':
      if (met?.failure.cause === 'refused') return met;
      return failed('limits', 'refused', { kind: 'unprobed', why: 'cooldown', waitS: decision.waitS });
  }
}

function tracer({ settings, ports, nextSession }: Tools, target: Target): Tracer | null {
  const { trace } = settings;
  if (trace === undefined) return null;
  const session = nextSession();
  const { clock } = ports;
  const { host, ip } = target;
  return (direction, line) => trace({ atMs: clock.now(), session, host, ip, direction, line });
}
