import { RequestError } from '../../schema/errors.ts';
import type { AccountClass } from '../../schema/shares.ts';
import type { Call } from '../base/call.ts';
import type { CountedKey } from '../base/limiter-protocol.ts';
import { WINDOW_MS } from '../limiter/window.ts';
import { describe, log } from '../base/log.ts';
import { isOverloaded, limiterNamed } from '../base/objects.ts';
import { within } from '../base/within.ts';
import { type KnownAccount, knownAccount } from './known-accounts.ts';
import { type Bearer, noteWindow, ownerOf, windowOf } from './known-keys.ts';

/** A free account may make this part of the calls of one that bought. */
const FREE_CALLS = 1 / 10;
/** A limiter that takes longer is as good as unreachable: its caller has waited enough. */
const PATIENCE_MS = 2_000;
/** How long a limiter that is overloaded is left alone: what queues there has drained by then, or soon is there again. */
const OVERLOADED_FOR_MS = 5_000;

/**
 * Counts the call against its key and its account, in one trip, and puts the RateLimit headers of the key on its answer. A
 * call that is refused for what this isolate knows makes no trip. A limiter that cannot be reached lets the call pass
 * without headers, and the operator is told. One that is overloaded lets none pass: it has this one account to count, so it
 * is this account's calls that are too many.
 * @throws RequestError RATE_LIMITED
 */
export async function limit(call: Call, bearer: Bearer): Promise<void> {
  const { RATE_LIMIT, ACCOUNT_RATE_LIMIT } = call.config;
  if (RATE_LIMIT === 0) return;
  const account = knownAccount(call.config, bearer);
  const nowMs = Date.now();
  const isUsedUp = account.usedUpForMs(callsAMinute(ACCOUNT_RATE_LIMIT, account.lastClass), nowMs) > 0;
  // One call is let by now and then to hear whether the account has bought credits.
  const isAsking = isUsedUp && account.isToBeHeard(nowMs);
  const counted = known(bearer, isUsedUp && !isAsking) ?? (await count(call, bearer, account, RATE_LIMIT));
  if (counted !== null) {
    const resetS = String(Math.ceil(counted.resetMs / 1000));
    call.headers.set('ratelimit-limit', String(RATE_LIMIT));
    call.headers.set('ratelimit-remaining', String(counted.remaining));
    call.headers.set('ratelimit-reset', resetS);
    call.headers.set('ratelimit-policy', `${RATE_LIMIT};w=${WINDOW_MS / 1000}`);
    if (!counted.allowed)
      throw new RequestError('RATE_LIMITED', `More than ${RATE_LIMIT} requests in a minute with this key.`, {
        'retry-after': resetS,
      });
  }
  const calls = callsAMinute(ACCOUNT_RATE_LIMIT, account.lastClass);
  if (isAsking || (!isUsedUp && (counted?.ofAccount?.used ?? 0) <= calls)) return;
  throw new RequestError('RATE_LIMITED', `More than ${calls} requests in a minute with the keys of this account.`, {
    'retry-after': String(Math.max(1, Math.ceil(account.usedUpForMs(calls, Date.now()) / 1000))),
  });
}

/** What an account of this class may make; one of which nothing was heard yet is let call as if it had bought. Pure. */
export function callsAMinute(ofBought: number, accountClass: AccountClass | null): number {
  if (ofBought === 0) return Infinity;
  return accountClass === 'free' ? Math.ceil(ofBought * FREE_CALLS) : ofBought;
}

/**
 * What the limiter would say, if nobody has to ask it: a window that has let through all it may stays shut until its end,
 * and a call that its account may not make is counted with the next one that makes the trip.
 */
function known(bearer: Bearer, isRefused: boolean): CountedKey | null {
  const nowMs = Date.now();
  const window = windowOf(bearer, nowMs);
  if (window === null) return null;
  const resetMs = window.untilMs - nowMs;
  if (window.remaining === 0) return { allowed: false, remaining: 0, resetMs, ofAccount: null };
  if (!isRefused) return null;
  window.remaining -= 1;
  window.uncounted += 1;
  return { allowed: true, remaining: window.remaining, resetMs, ofAccount: null };
}

/** @returns what the limiter says of the key; null if it cannot be reached */
async function count(
  call: Call,
  bearer: Bearer,
  account: KnownAccount,
  callsPerWindow: number,
): Promise<CountedKey | null> {
  const askedMs = Date.now();
  const window = windowOf(bearer, askedMs);
  const uncounted = window?.uncounted ?? 0;
  if (window !== null) window.uncounted = 0;
  try {
    const limiter = limiterNamed(call, bearer.limiter);
    const counted = await within(
      PATIENCE_MS,
      limiter.countKey(bearer.window, callsPerWindow, 1 + uncounted, ownerOf(bearer) !== null),
    );
    const { remaining, resetMs, ofAccount } = counted;
    // Counted from before the question, so that it never seems to end later than it does.
    noteWindow(bearer, { remaining, untilMs: askedMs + resetMs }, Date.now());
    if (ofAccount !== null) account.noteCalls(ofAccount.used, askedMs + ofAccount.resetMs, Date.now());
    return counted;
  } catch (error) {
    if (isOverloaded(error)) {
      log('warn', 'limiter_overloaded', { requestId: call.id });
      noteWindow(bearer, { remaining: 0, untilMs: askedMs + OVERLOADED_FOR_MS }, askedMs);
      return { allowed: false, remaining: 0, resetMs: OVERLOADED_FOR_MS, ofAccount: null };
    }
    log('error', 'limiter_unreachable', { requestId: call.id, ...describe(error) });
    return null;
  }
}
