import type { Ends } from '../ports/cancel.ts';
import type { Permit } from '../limits/permit.ts';
import type { Lane } from '../ports/lane.ts';
import type { Account } from '../ports/ports.ts';
import type { ProviderLimits } from '../providers/provider-limits.ts';
import type { Spent } from '../ports/spent.ts';
import { type Opening, openSession, type Session } from '../session/session.ts';
import { type Failed, failed, isOfCrowd, type SessionFailure } from '../session/session-failure.ts';
import { type SessionWatch, watchSession } from '../session/session-watch.ts';
import type { Target } from '../targets/targets.ts';
import type { Tracer } from '../wire/wire.ts';
import type { Tools } from './tools.ts';

/** The domain that a session is opened for. */
export type Asker = {
  readonly job: {
    readonly account: Account;
    readonly domain: string;
    /** Fires when the batch ends. */
    readonly signal: Ends;
    /** When the batch must be answered, in the clock's milliseconds. */
    readonly deadlineMs: number;
    readonly lane?: Lane | undefined;
    readonly spent: Spent;
  };
  /** It has MX records; otherwise its own address is asked, an implicit MX. */
  readonly mxFound: boolean;
  /** The egress address that was used last; null if the system chose it. */
  askedFrom: string | null;
};

/** No session was to be had, perhaps because of our others there: it is evidence of nothing. */
export type Crowded = { readonly kind: 'crowded'; readonly failure: SessionFailure };

type How = {
  /** A server that offered PIPECONNECT is not waited for with the first commands. */
  readonly early: boolean;
  /** It is to help another session of the domain: what the server says of it may be because of that one. */
  readonly helps: boolean;
  /** As in `ConnectionRequest`. */
  readonly mayRide: boolean;
  /** What is given back while it waits for the limits. */
  readonly lane: Lane | undefined;
  readonly provider: ProviderLimits | null;
  /** Is told that it waits for the limits, and given what ends that. */
  readonly onWait: (giveUp: () => void) => void;
  /** Whether no other session was found meanwhile; asked once the wait is over. */
  readonly isWanted: () => boolean;
};

type Opened =
  | {
      readonly kind: 'open';
      readonly session: Session;
      readonly permit: Permit;
      readonly watch: SessionWatch | null;
    }
  | Crowded
  | Failed;

/**
 * Opens a session once the limits allow it, from the egress address that is least used there. A server that has let in
 * others, and says that these are as many as may be, is not left alone for that: no more are opened beside them.
 */
export async function openWithinLimits(
  tools: Tools,
  asker: Asker,
  target: Target,
  { early, helps, mayRide, lane, provider, onWait, isWanted }: How,
): Promise<Opened> {
  const { settings, ports, pipeconnect } = tools;
  const watch = watchSession(settings, ports.clock, provider);
  const { account, domain, signal, deadlineMs, spent } = asker.job;
  const startedAt = ports.clock.now();
  const { ip, family, isOwn } = target;
  const asked = tools.limits.acquire(
    { account, domain, provider, ip, family, isOwn, mayRide, deadlineMs, signal, lane },
    onWait,
  );
  const decision = asked instanceof Promise ? await (watch?.waits(asked) ?? asked) : asked;
  spent.waitingMs += ports.clock.now() - startedAt;
  // One was found in the very moment that it was let in.
  if (!isWanted()) {
    if (decision.kind === 'go') decision.permit.release('neutral');
    return failed('limits', 'ended', null);
  }
  switch (decision.kind) {
    case 'ended':
      return failed('limits', 'ended', null);
    case 'no_egress':
      return cooling(NO_ADDRESS_S);
    case 'cooling':
      return cooling(decision.waitS);
    case 'go':
  }
  const { permit } = decision;
  const { egress } = permit;
  watch?.begins(egress);
  asker.askedFrom = egress.ip;
  try {
    const opening = openingOf(tools, asker, target, permit);
    const offer = early ? pipeconnect.recall(account, egress.ip, target) : null;
    const opened = await openSession(opening, offer);
    if (opened.kind === 'failed') {
      watch?.failed(opened.failure);
      return giveBack(permit, opened, helps);
    }
    if (offer === null) {
      pipeconnect.remember(account, egress.ip, target, opened.session);
      permit.accepted();
    }
    return { ...opened, permit, watch };
  } catch (error) {
    permit.release('neutral');
    throw error;
  }
}

function openingOf(tools: Tools, asker: Asker, target: Target, { egress }: Permit): Opening {
  const { ports, settings, classify } = tools;
  return {
    dial: ports.dial,
    clock: ports.clock,
    timeouts: settings.timeouts,
    target,
    from: egress.ip,
    heloName: egress.heloName,
    implicit: !asker.mxFound,
    signal: asker.job.signal,
    classify,
    trace: tracer(tools, target),
  };
}

/** There is no session: the limits are told of a complaint, unless it may be about our other connections. */
function giveBack(permit: Permit, opened: Failed, helps: boolean): Failed | Crowded {
  const { failure } = opened;
  const { complaint } = failure;
  const hasOwnCause = complaint !== null && complaint.isAboutConcurrency !== true;
  const how = failure.cause === 'timeout' ? 'silent' : hasOwnCause ? 'named' : 'other';
  const isOfCrowded = isOfCrowd(opened) && permit.rejected(how);
  // Put off right after a crowd of ours, it may be put off because of it.
  const isPutOff = failure.outcome?.kind === 'deferred' && complaint?.why !== 'blocked';
  const isOfOurs = isPutOff && !helps && permit.deferred('opening');
  const isBelieved = complaint !== null && !isOfOurs && !helps && (!isOfCrowded || hasOwnCause);
  permit.release(isBelieved ? complaint : 'neutral');
  return isOfCrowded || isOfOurs ? { kind: 'crowded', failure } : opened;
}

/**
 * None of this host's addresses is of the family: as of a receiver that it leaves alone, another host may learn more, and
 * that there is none is no failure. What a fleet has does not change sooner.
 */
const NO_ADDRESS_S = 3_600;

/** It is left alone for as long. */
export function cooling(waitS: number): Failed {
  return failed('limits', 'refused', { kind: 'unprobed', why: 'cooldown', waitS });
}

function tracer({ settings, ports, nextSession }: Tools, target: Target): Tracer | null {
  const { trace } = settings;
  if (trace === undefined) return null;
  const session = nextSession();
  const { clock } = ports;
  const { host, ip } = target;
  return (direction, line) => trace({ atMs: clock.now(), session, host, ip, direction, line });
}
