import { RequestError } from '../../schema/errors.ts';
import { hashKey } from '../access/key.ts';
import { networkOf } from '../access/shield.ts';
import type { Call } from '../base/call.ts';
import { describe, log } from '../base/log.ts';
import { limiterNamed } from '../base/objects.ts';
import { within } from '../base/within.ts';

// How often somebody without a key may call. A counter that cannot be reached lets the call pass, and the operator is
// told.

/** A statement reads every row that its account has, some hundred thousand at worst, and D1 does one thing at a time. */
const STATEMENTS_A_MINUTE = 30;
const PATIENCE_MS = 2_000;

/**
 * Counts a call of the pages' API by its network.
 * @throws RequestError RATE_LIMITED
 */
export function countCall(call: Call): Promise<void> {
  return count(call, call.env.PAGES, 'Too many requests came from your network. Wait a minute.');
}

/**
 * Counts by its network what sends mail, or tries links and passkeys.
 * @throws RequestError RATE_LIMITED
 */
export function countTry(call: Call): Promise<void> {
  return count(call, call.env.SIGN_IN, 'Too many sign-in attempts came from your network. Try again in a minute.');
}

async function count(call: Call, counter: RateLimit, refusal: string): Promise<void> {
  const address = call.request.headers.get('cf-connecting-ip');
  if (address === null) return;
  const counted = counter.limit({ key: networkOf(address) }).catch((error: unknown) => {
    tell(call, error);
    return { success: true };
  });
  if (!(await counted).success) throw tooMany(refusal, 60);
}

/**
 * Counts a statement by its account.
 * @throws RequestError RATE_LIMITED
 */
export async function countStatement(call: Call, accountId: string): Promise<void> {
  const limiter = limiterNamed(call, await hashKey(`statement:${accountId}`));
  const counted = within(PATIENCE_MS, limiter.count(STATEMENTS_A_MINUTE)).catch((error: unknown) => {
    tell(call, error);
    return null;
  });
  const { allowed = true, resetMs = 0 } = (await counted) ?? {};
  if (!allowed) throw tooMany('The statement was read too often. Wait a minute.', Math.ceil(resetMs / 1000));
}

function tooMany(message: string, retryS: number): RequestError {
  return new RequestError('RATE_LIMITED', message, { 'retry-after': String(retryS) });
}

function tell(call: Call, error: unknown): void {
  log('error', 'pages_limit_unreachable', { requestId: call.id, ...describe(error) });
}
