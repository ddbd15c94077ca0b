import { RequestError } from '../../schema/errors.ts';
import type { Call } from '../base/call.ts';
import type { Counted } from '../base/limiter-protocol.ts';
import { WINDOW_MS } from '../limiter/window.ts';
import { describe, log } from '../base/log.ts';
import { isOverloaded, limiterNamed } from '../base/objects.ts';
import { within } from '../base/within.ts';
import { type Bearer, noteSpent, spentUntilMs } from './known-keys.ts';

/** A limiter that takes longer is as good as unreachable: its caller has waited enough. */
const PATIENCE_MS = 2_000;
/** How long a limiter that is overloaded is left alone: what queues there has drained by then, or soon is there again. */
const OVERLOADED_FOR_MS = 5_000;

/**
 * Counts the call against its key and puts the RateLimit headers on its answer. A limiter that cannot be reached lets
 * the call pass without them, and the operator is told. One that is overloaded lets none pass: it has this one key to
 * count, so it is this key's calls that are too many.
 * @throws RequestError RATE_LIMITED
 */
export async function limit(call: Call, bearer: Bearer): Promise<void> {
  const { RATE_LIMIT } = call.config;
  if (RATE_LIMIT === 0) return;
  const counted = await count(call, bearer, RATE_LIMIT);
  if (counted === null) return;
  const resetS = String(Math.ceil(counted.resetMs / 1000));
  call.headers.set('ratelimit-limit', String(RATE_LIMIT));
  call.headers.set('ratelimit-remaining', String(counted.remaining));
  call.headers.set('ratelimit-reset', resetS);
  call.headers.set('ratelimit-policy', `${RATE_LIMIT};w=${WINDOW_MS / 1000}`);
  if (counted.allowed) return;
  throw new RequestError('RATE_LIMITED', `More than ${RATE_LIMIT} requests in a minute with this key.`, {
    'retry-after': resetS,
  });
}

/** @returns what the limiter says, or would say; null if it cannot be reached */
async function count(call: Call, bearer: Bearer, callsPerWindow: number): Promise<Counted | null> {
  const askedMs = Date.now();
  // A window that has let through all it may stays shut until its end: known once, nobody needs to be asked.
  const shutForMs = spentUntilMs(bearer) - askedMs;
  if (shutForMs > 0) return { allowed: false, remaining: 0, resetMs: shutForMs };
  try {
    const counted = await within(PATIENCE_MS, limiterNamed(call, bearer.limiter).count(callsPerWindow));
    // Counted from before the question, so that it never seems to end later than it does.
    if (!counted.allowed) noteSpent(bearer, askedMs + counted.resetMs);
    return counted;
  } catch (error) {
    if (isOverloaded(error)) {
      log('warn', 'limiter_overloaded', { requestId: call.id });
      noteSpent(bearer, askedMs + OVERLOADED_FOR_MS);
      return { allowed: false, remaining: 0, resetMs: OVERLOADED_FOR_MS };
    }
    log('error', 'limiter_unreachable', { requestId: call.id, ...describe(error) });
    return null;
  }
}
