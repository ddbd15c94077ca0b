import { RequestError } from '../../schema/errors.ts';
import type { Call } from '../base/call.ts';
import type { Counted } from '../base/limiter-protocol.ts';
import { WINDOW_MS } from '../limiter/window.ts';
import { describe, log } from '../base/log.ts';
import { isOverloaded, limiterNamed } from '../base/objects.ts';
import { within } from '../base/within.ts';
import { type Bearer, noteWindow, windowOf } from './known-keys.ts';
import { passAccount, refusalOfAccount } from './limit-account.ts';

/** A limiter that takes longer is as good as unreachable: its caller has waited enough. */
const PATIENCE_MS = 2_000;
/** How long a limiter that is overloaded is left alone: what queues there has drained by then, or soon is there again. */
const OVERLOADED_FOR_MS = 5_000;

/**
 * Counts the call against its key, and then against its account, and puts the RateLimit headers on its answer. A call
 * that is refused for what this isolate knows makes no trip. A limiter that cannot be reached lets the call pass without
 * headers, and the operator is told. One that is overloaded lets none pass: it has this one key to count, so it is this
 * key's calls that are too many.
 * @throws RequestError RATE_LIMITED
 */
export async function limit(call: Call, bearer: Bearer): Promise<void> {
  const { RATE_LIMIT } = call.config;
  if (RATE_LIMIT === 0) return;
  const ofAccount = refusalOfAccount(call, bearer);
  const counted = known(bearer, ofAccount !== null) ?? (await count(call, bearer, RATE_LIMIT));
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
  if (ofAccount !== null) throw ofAccount;
  passAccount(call, bearer);
}

/**
 * What the limiter would say, if nobody has to ask it: a window that has let through all it may stays shut until its end,
 * and a call that its account may not make is counted with the next one that makes the trip.
 */
function known(bearer: Bearer, isRefused: boolean): Counted | null {
  const nowMs = Date.now();
  const window = windowOf(bearer, nowMs);
  if (window === null) return null;
  const resetMs = window.untilMs - nowMs;
  if (window.remaining === 0) return { allowed: false, remaining: 0, resetMs };
  if (!isRefused) return null;
  window.remaining -= 1;
  window.uncounted += 1;
  return { allowed: true, remaining: window.remaining, resetMs };
}

/** @returns what the limiter says; null if it cannot be reached */
async function count(call: Call, bearer: Bearer, callsPerWindow: number): Promise<Counted | null> {
  const askedMs = Date.now();
  const window = windowOf(bearer, askedMs);
  const uncounted = window?.uncounted ?? 0;
  if (window !== null) window.uncounted = 0;
  try {
    const limiter = limiterNamed(call, bearer.limiter);
    const counted = await within(PATIENCE_MS, limiter.count(callsPerWindow, 1 + uncounted));
    // Counted from before the question, so that it never seems to end later than it does.
    noteWindow(bearer, { remaining: counted.remaining, untilMs: askedMs + counted.resetMs }, Date.now());
    return counted;
  } catch (error) {
    if (isOverloaded(error)) {
      log('warn', 'limiter_overloaded', { requestId: call.id });
      noteWindow(bearer, { remaining: 0, untilMs: askedMs + OVERLOADED_FOR_MS }, askedMs);
      return { allowed: false, remaining: 0, resetMs: OVERLOADED_FOR_MS };
    }
    log('error', 'limiter_unreachable', { requestId: call.id, ...describe(error) });
    return null;
  }
}
