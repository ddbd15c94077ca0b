import { RequestError } from '../../schema/errors.ts';
import type { Bearer } from '../access/known-keys.ts';
import { networkOf } from '../access/shield.ts';
import type { Call } from '../base/call.ts';
import { keyedHash } from '../base/keyed-hash.ts';
import { type FormLimits, LIMITER_TIMEOUT_MS } from '../base/limiter-protocol.ts';
import { describe, log } from '../base/log.ts';
import { limiterNamed } from '../base/objects.ts';
import { within } from '../base/within.ts';
import { verificationFailed } from '../verify/respond.ts';

// What strangers may do with a form's key. It has a limiter of its own, so that a flood of them takes nothing from the
// calls of the account's servers.

const DAY_MS = 86_400_000;

/** Credits of a day that were reserved for one check. */
export type Reserved = { readonly day: number; readonly credits: number };

/**
 * Counts a visitor's check and reserves what it may cost. Without the limiter it is unknown what is left of the day:
 * then nothing is checked, and the form continues.
 * A test key's checks cost nothing and are the owner's own: the day counts them, and nobody else is limited.
 * @param credits 0 for a check that costs nothing
 * @throws RequestError RATE_LIMITED, INTERNAL_ERROR
 */
export async function reserve(call: Call, bearer: Bearer, credits: number, limits: FormLimits): Promise<Reserved> {
  const isTest = bearer.kind === 'test';
  const visitor = isTest ? null : await visitorOf(call, bearer);
  const limiter = limiterNamed(call, bearer.window);
  const counted = await within(LIMITER_TIMEOUT_MS, limiter.countCheck(visitor, isTest ? 1 : credits, limits)).catch(
    (error: unknown) => {
      log('error', 'limiter_unreachable', { requestId: call.id, ...describe(error) });
      throw verificationFailed(error);
    },
  );
  if (counted.refused === null) return { day: counted.day, credits };
  const message =
    counted.refused === 'day'
      ? `This form has used its ${isTest ? 'checks' : 'credits'} of today (UTC). Its owner can allow more under Developers.`
      : 'Too many checks came from this network. The form works without them.';
  throw new RequestError('RATE_LIMITED', message, { 'retry-after': String(Math.ceil(counted.resetMs / 1_000)) });
}

/** Returns what a check did not spend. If that fails, it is missing until the day ends. */
export async function giveBack(call: Call, bearer: Bearer, { day, credits }: Reserved): Promise<void> {
  if (credits === 0) return;
  try {
    await limiterNamed(call, bearer.window).returnCredits(day, credits);
  } catch (error) {
    log('warn', 'form_credits_lost', { requestId: call.id, ...describe(error) });
  }
}

/** An untraceable name for the visitor’s network that changes every day; null if the platform names none. */
async function visitorOf({ request, config, startedMs }: Call, { window }: Bearer): Promise<string | null> {
  const address = request.headers.get('cf-connecting-ip');
  if (address === null) return null;
  const salt = `form visitor\n${Math.floor(startedMs / DAY_MS)}\n${window}`;
  return (await keyedHash(`${salt}\n${networkOf(address)}`, config.KEY_SECRETS.at(-1) ?? '')).slice(0, 22);
}
