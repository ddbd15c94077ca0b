import { RequestError } from '../../schema/errors.ts';
import type { Call } from '../base/call.ts';
import type { Config } from '../base/config.ts';
import { type CountedKey, LIMITER_TIMEOUT_MS } from '../base/limiter-protocol.ts';
import { WINDOW_MS } from '../limiter/window.ts';
import { describe, log } from '../base/log.ts';
import { isOverloaded, limiterNamed } from '../base/objects.ts';
import { Refusals } from '../base/refusals.ts';
import { within } from '../base/within.ts';
import type { Bearer } from './known-keys.ts';

/** How long an overloaded limiter is left alone: its queue has drained by then, or fills up again soon. */
const OVERLOADED_FOR_MS = 5_000;
/** The account's own window among those of its keys. */
const ACCOUNT = '';

/** Of an account, by the name of its limiter: its windows of which nothing is left. The limiter is not asked. */
const refusals = new WeakMap<Config, Refusals<null>>();

/**
 * Counts the call against its key and its account, in one trip, and puts the RateLimit headers of the key on its
 * answer. If the limiter cannot be reached, the call passes without headers and the operator is told. If it is
 * overloaded, no call passes: it counts only this account, so this account makes too many calls.
 * @throws RequestError RATE_LIMITED
 */
export async function limit(call: Call, bearer: Bearer): Promise<void> {
  const { RATE_LIMIT, ACCOUNT_RATE_LIMIT } = call.config;
  if (RATE_LIMIT === 0) return;
  const counted = remembered(call.config, bearer) ?? (await count(call, bearer));
  if (counted === null) return;
  const { allowed, remaining, resetMs, ofAccount } = counted;
  call.headers.set('ratelimit-limit', String(RATE_LIMIT));
  call.headers.set('ratelimit-remaining', String(remaining));
  call.headers.set('ratelimit-reset', seconds(resetMs));
  call.headers.set('ratelimit-policy', `${RATE_LIMIT};w=${WINDOW_MS / 1000}`);
  if (!allowed)
    throw new RequestError('RATE_LIMITED', `More than ${RATE_LIMIT} requests in a minute with this key.`, {
      'retry-after': seconds(resetMs),
    });
  if (ofAccount?.allowed === false)
    throw new RequestError(
      'RATE_LIMITED',
      `More than ${ACCOUNT_RATE_LIMIT} requests in a minute with the keys of this account.`,
      { 'retry-after': seconds(ofAccount.resetMs) },
    );
}

function seconds(ms: number): string {
  return String(Math.max(1, Math.ceil(ms / 1000)));
}

/** What the limiter would answer for a key or an account that it has refused; null if it has to be asked. */
function remembered(config: Config, { window, limiter }: Bearer): CountedKey | null {
  const nowMs = Date.now();
  const leftMs = (of: string): number => (refusals.get(config)?.find(limiter, of, nowMs)?.untilMs ?? 0) - nowMs;
  const [ofKeyMs, ofAccountMs] = [leftMs(window), leftMs(ACCOUNT)];
  if (ofKeyMs > 0) return { allowed: false, remaining: 0, resetMs: ofKeyMs, ofAccount: null };
  return ofAccountMs > 0 ? refusedAccount(ofAccountMs) : null;
}

/** No call passes until then, with any key. */
function refusedAccount(resetMs: number): CountedKey {
  return { allowed: true, remaining: 0, resetMs, ofAccount: { allowed: false, remaining: 0, resetMs } };
}

function remember(config: Config, { limiter }: Bearer, window: string, untilMs: number): void {
  const known = refusals.get(config) ?? new Refusals<null>();
  refusals.set(config, known);
  known.remember(limiter, window, null, untilMs);
}

/** @returns what the limiter says; null if it cannot be reached */
async function count(call: Call, bearer: Bearer): Promise<CountedKey | null> {
  const { config } = call;
  const limits = { ofKey: config.RATE_LIMIT, ofAccount: config.ACCOUNT_RATE_LIMIT };
  // Counted from before the request, so that a refusal never seems to end later than it does.
  const askedMs = Date.now();
  try {
    const limiter = limiterNamed(call, bearer.limiter);
    const counted = await within(LIMITER_TIMEOUT_MS, limiter.countKey(bearer.window, limits, bearer.owner !== null));
    const { remaining, resetMs, ofAccount } = counted;
    if (remaining === 0) remember(config, bearer, bearer.window, askedMs + resetMs);
    if (ofAccount?.remaining === 0) remember(config, bearer, ACCOUNT, askedMs + ofAccount.resetMs);
    return counted;
  } catch (error) {
    if (isOverloaded(error)) {
      log('warn', 'limiter_overloaded', { requestId: call.id });
      remember(config, bearer, ACCOUNT, askedMs + OVERLOADED_FOR_MS);
      return refusedAccount(OVERLOADED_FOR_MS);
    }
    log('error', 'limiter_unreachable', { requestId: call.id, ...describe(error) });
    return null;
  }
}
