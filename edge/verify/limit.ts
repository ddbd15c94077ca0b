import { RequestError } from '../../schema/errors.ts';
import type { Call } from '../call.ts';
import { inJurisdiction } from '../jurisdiction.ts';
import { WINDOW_MS, type Counted } from '../limiter/window.ts';
import { describe, log } from '../log.ts';
import type { Bearer } from './auth.ts';

/** A limiter that takes longer is as good as unreachable: its caller has waited enough. */
const PATIENCE_MS = 2_000;

/**
 * Counts the call against its key and puts the RateLimit headers on its answer. A limiter that cannot be reached lets
 * the call pass without them, and the operator is told.
 * @throws RequestError RATE_LIMITED
 */
export async function limit(call: Call, { limiter }: Bearer): Promise<void> {
  const { RATE_LIMIT } = call.config;
  if (RATE_LIMIT === 0) return;
  let counted: Counted;
  try {
    counted = await askLimiter(call, limiter, RATE_LIMIT);
  } catch (error) {
    log('error', 'limiter_unreachable', { requestId: call.id, ...describe(error) });
    return;
  }
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

async function askLimiter(call: Call, name: string, callsPerWindow: number): Promise<Counted> {
  const limiter = inJurisdiction(call.env.LIMITER, call.config).getByName(name);
  const { promise: impatience, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('No answer in time')), PATIENCE_MS);
  try {
    return await Promise.race([limiter.count(callsPerWindow), impatience]);
  } finally {
    clearTimeout(timer);
  }
}
