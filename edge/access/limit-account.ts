import { RequestError } from '../../schema/errors.ts';
import type { AccountClass } from '../../schema/shares.ts';
import type { Call } from '../base/call.ts';
import { describe, log } from '../base/log.ts';
import { limiterNamed } from '../base/objects.ts';
import { within } from '../base/within.ts';
import { hashKey } from './key.ts';
import type { KnownAccount } from './known-accounts.ts';
import { type Bearer, ownerOf } from './known-keys.ts';

// A key has a limit that is exact, and an account may have many keys. Its calls are counted together by a Limiter object
// of its own, ten at a time and while nobody waits: a call costs no further trip, and an account with few calls none at
// all. So an account may exceed its limit by ten calls for each isolate that serves it, and by what comes while a count
// is under way.

/** Calls that an isolate gathers before it has them counted. */
const TOGETHER = 10;
/** A free account may make this part of the calls of one that bought. */
const FREE_CALLS = 1 / 10;
const PATIENCE_MS = 2_000;

/** How an account's calls stand, as far as an isolate knows. Pure. */
export class AccountCalls {
  #uncounted = 0;
  /** A count that began is over by then, even if the call that sent it was ended before the answer. */
  #countingUntilMs = 0;
  /** The limit that was reached, and until when. */
  #reached: { readonly limit: number; readonly untilMs: number } | null = null;

  /** How long an account with this limit is refused; 0 or less if it is not. One that has bought meanwhile has a higher limit. */
  refusedForMs(limit: number, nowMs: number): number {
    return this.#reached === null || this.#reached.limit < limit ? 0 : this.#reached.untilMs - nowMs;
  }

  /** A call was let pass. @returns how many are to be counted now; 0: none */
  pass(nowMs: number): number {
    this.#uncounted += 1;
    if (nowMs < this.#countingUntilMs || this.#uncounted < TOGETHER) return 0;
    const calls = this.#uncounted;
    this.#uncounted = 0;
    this.#countingUntilMs = nowMs + PATIENCE_MS;
    return calls;
  }

  /** The count came, or (null) never will. */
  counted(reached: { readonly limit: number; readonly untilMs: number } | null): void {
    this.#countingUntilMs = 0;
    if (reached !== null) this.#reached = reached;
  }
}

/** Of accounts of this class, in calls a minute; 0: none. */
export function accountLimit(callsAMinute: number, accountClass: AccountClass): number {
  return accountClass === 'bought' ? callsAMinute : Math.ceil(callsAMinute * FREE_CALLS);
}

const callsOf = new WeakMap<KnownAccount, AccountCalls>();

/** The calls of the account behind a key, and its limit; null if there is none, or the isolate does not know whose the key is. */
function callsBehind(
  { config: { RATE_LIMIT, ACCOUNT_RATE_LIMIT } }: Call,
  bearer: Bearer,
): { readonly account: KnownAccount; readonly calls: AccountCalls; readonly limit: number } | null {
  const account = ownerOf(bearer);
  if (RATE_LIMIT === 0 || ACCOUNT_RATE_LIMIT === 0 || account === null) return null;
  const calls = callsOf.get(account) ?? new AccountCalls();
  callsOf.set(account, calls);
  return { account, calls, limit: accountLimit(ACCOUNT_RATE_LIMIT, account.lastClass) };
}

/**
 * What a call gets whose account is known to have made too many; null: it may pass. Whose a key is, and of which class, an
 * isolate knows from the calls before. One call is let by now and then to hear whether the account has bought credits.
 */
export function refusalOfAccount(call: Call, bearer: Bearer): RequestError | null {
  const behind = callsBehind(call, bearer);
  if (behind === null) return null;
  const { account, calls, limit } = behind;
  const nowMs = Date.now();
  const refusedForMs = calls.refusedForMs(limit, nowMs);
  if (refusedForMs <= 0 || account.isToBeHeard(nowMs)) return null;
  return new RequestError('RATE_LIMITED', `More than ${limit} requests in a minute with the keys of this account.`, {
    'retry-after': String(Math.ceil(refusedForMs / 1_000)),
  });
}

/** Counts a call that was let pass against the account behind its key. */
export function passAccount(call: Call, bearer: Bearer): void {
  const behind = callsBehind(call, bearer);
  if (behind === null) return;
  const { account, calls, limit } = behind;
  const passed = calls.pass(Date.now());
  if (passed > 0) call.waitUntil(count(call, account, calls, { passed, limit }));
}

async function count(
  call: Call,
  account: KnownAccount,
  calls: AccountCalls,
  { passed, limit }: { readonly passed: number; readonly limit: number },
): Promise<void> {
  const askedMs = Date.now();
  try {
    const limiter = limiterNamed(call, await hashKey(`account:${account.id}`));
    const { allowed, remaining, resetMs } = await within(PATIENCE_MS, limiter.count(limit, passed));
    calls.counted(allowed && remaining > 0 ? null : { limit, untilMs: askedMs + resetMs });
  } catch (error) {
    calls.counted(null);
    log('error', 'limiter_unreachable', { requestId: call.id, ...describe(error) });
  }
}
