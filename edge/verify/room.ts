import { RequestError } from '../../schema/errors.ts';
import type { Lack } from '../base/fleet-protocol.ts';
import { Refusals } from '../base/refusals.ts';

// A fleet without room for a batch says so when it is asked to run it: the credits are held by then, and returned
// before the answer. Asking before the hold would cost every request a trip to the object, which is the longest part of
// the answer for a distant caller. So an isolate that was refused remembers it for a moment, and refuses what cannot
// fit before anything is held. It remembers the fleet's refusals by shard: for everyone, or for one account.

/** How long a refusal is remembered. */
const KNOWN_FOR_MS = 1_000;
/** The Retry-After of a refusal. A share frees up as batches end, which takes seconds. */
const RETRY_S = { full: 1, share: 5 } as const;

/** `account`: null if it is unknown. */
export type Asker = { readonly shard: number; readonly account: string | null };

/** No account has this id. */
const EVERYONE = '';

/** By account and shard. `addresses`: the fewest that were refused. */
const refusals = new Refusals<{ readonly lack: Lack; readonly addresses: number }>();

/** Remembers that the fleet had no room for this many addresses. */
export function rememberNoRoom({ shard, account }: Asker, lack: Lack, addresses: number, nowMs: number): void {
  const who = lack === 'full' ? EVERYONE : account;
  if (who === null) return;
  const smallest = Math.min(addresses, refusals.find(who, String(shard), nowMs)?.value.addresses ?? Infinity);
  refusals.remember(who, String(shard), { lack, addresses: smallest }, nowMs + KNOWN_FOR_MS);
}

/** @throws RequestError RATE_LIMITED if a batch no larger was refused a moment ago, for everyone or for this account */
export function checkRoom({ shard, account }: Asker, addresses: number, nowMs: number): void {
  if (addresses === 0) return;
  for (const who of [EVERYONE, account ?? EVERYONE]) {
    const known = refusals.find(who, String(shard), nowMs)?.value;
    if (known !== undefined && addresses >= known.addresses) throw noRoomFor(known.lack);
  }
}

/** The refusal of a batch for which there is no room. */
export function noRoomFor(lack: Lack): RequestError {
  const retryS = RETRY_S[lack];
  const when = retryS === 1 ? 'a second' : `${retryS} seconds`;
  const why =
    lack === 'full'
      ? 'The service is busy.'
      : 'The service is busy, and your account has its share of the work in progress.';
  return new RequestError('RATE_LIMITED', `${why} Nothing was charged: try again in ${when}.`, {
    'retry-after': String(retryS),
  });
}
