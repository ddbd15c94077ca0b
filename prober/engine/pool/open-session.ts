import type { ConnectionPermit, RecipientAllowance, RestsUntil } from '../limits/connection-request.ts';
import type { Account } from '../ports/ports.ts';
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
    readonly signal: AbortSignal;
    /** When the batch must be answered, in the clock's milliseconds. */
    readonly deadlineMs: number;
    readonly restsUntil?: RestsUntil | undefined;
    readonly spent: Spent;
  };
  /** It has MX records; otherwise its own address is asked, an implicit MX. */
  readonly mxFound: boolean;
  /** The egress address that was used last; null if the system chose it. */
  askedFrom: string | null;
};

/**
 * No session was to be had, perhaps because of our others there: it is evidence of nothing. `bears`: how many sessions the
 * server bears at once.
 */
export type Crowded = { readonly kind: 'crowded'; readonly failure: SessionFailure; readonly bears: number };

/** `helps`: it is to help another session of the same domain. */
type How = {
  /** A server that offered PIPECONNECT is not waited for with the first commands. */
  readonly early: boolean;
  readonly helps?: boolean;
  /** Is told that it waits for the limits, and given what ends that. */
  readonly onWait: (giveUp: () => void) => void;
  /** Whether no other session was found meanwhile; asked once the wait is over. */
  readonly isWanted: () => boolean;
};

type Opened =
  | {
      readonly kind: 'open';
      readonly session: Session;
      readonly permit: ConnectionPermit;
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
  { early, helps, onWait, isWanted }: How,
): Promise<Opened> {
  const { settings, ports, pipeconnect } = tools;
  const watch = watchSession(settings, ports.clock, target.host);
  const { account, domain, signal, deadlineMs, restsUntil, spent } = asker.job;
  const startedAt = ports.clock.now();
  const { host, ip, family, isOwn } = target;
  const asked = tools.limits.acquire(
    { account, domain, host, ip, family, isOwn, helps, deadlineMs, signal, restsUntil },
    onWait,
  );
  const permit = asked instanceof Promise ? await (watch?.waits(asked) ?? asked) : asked;
  spent.waitingMs += ports.clock.now() - startedAt;
  // One was found in the very moment that it was let in.
  if (!isWanted()) {
    if (permit.kind === 'go') permit.release('neutral');
    return failed('limits', 'ended', null);
  }
  switch (permit.kind) {
    case 'ended':
      return failed('limits', 'ended', null);
    case 'no_egress':
      return cooling(NO_ADDRESS_S);
    case 'cooling':
      return cooling(permit.waitS);
    case 'go':
  }
  const { egress } = permit;
  watch?.begins(egress);
  asker.askedFrom = egress.ip;
  try {
    const opening = openingOf(tools, asker, target, { permit, watch });
    const offer = early ? pipeconnect.recall(account, egress.ip, target) : null;
    const opened = await openSession(opening, offer);
    if (opened.kind === 'failed') {
      watch?.failed(opened.failure);
      return await giveBack(permit, opened);
    }
    if (offer === null) {
      pipeconnect.remember(account, egress.ip, target, opened.session);
      permit.accepted();
    }
    watch?.opened();
    return { ...opened, permit, watch };
  } catch (error) {
    permit.release('neutral');
    throw error;
  }
}

type From = { readonly permit: ConnectionPermit; readonly watch: SessionWatch | null };

function openingOf(tools: Tools, asker: Asker, target: Target, { permit, watch }: From): Opening {
  const { egress } = permit;
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
    onCall: permit.holds,
    classify: watch?.reading(classify) ?? classify,
    onReply: watch?.onReply ?? null,
    trace: tracer(tools, target),
  };
}

/** There is no session: the limits are told of a complaint, unless it may be about our other connections. */
async function giveBack(permit: ConnectionPermit, opened: Failed): Promise<Failed | Crowded> {
  const { failure } = opened;
  permit.holds(null);
  // Nobody was asked about yet: it may be tried again in its turn.
  if (failure.cause === 'recalled') {
    permit.release('neutral');
    return { kind: 'crowded', failure, bears: Infinity };
  }
  const { complaint } = failure;
  const isAboutOther = complaint !== null && complaint.isAboutConcurrency !== true;
  // Put off right after a crowd of ours, it may be put off because of it.
  const isOfOurs = failure.outcome?.kind === 'deferred' && complaint?.why !== 'blocked' && permit.deferred('opening');
  const bears = isOfCrowd(opened) ? await permit.rejected(isAboutOther || failure.cause === 'timeout') : null;
  const isBelieved = !isOfOurs && complaint !== null && (bears === null || isAboutOther);
  permit.release(isBelieved ? complaint : 'neutral');
  return bears === null && !isOfOurs ? opened : { kind: 'crowded', failure, bears: bears ?? Infinity };
}

/** Too many were asked about here in this hour whom the server does not know. */
export function allowanceUsedUp(allowance: RecipientAllowance): Failed {
  return cooling(allowance.refuse());
}

/**
 * None of this host's addresses is of the family: as of a receiver that it leaves alone, another host may learn more, and
 * that there is none is no failure. What a fleet has does not change sooner.
 */
const NO_ADDRESS_S = 3_600;

function cooling(waitS: number): Failed {
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
