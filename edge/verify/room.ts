import { RequestError } from '../../schema/errors.ts';
import { keepLatest } from '../../schema/keep-latest.ts';
import type { Lack } from '../base/fleet-protocol.ts';

// A fleet without room for a batch says so when it is asked to run it: the credits are held by then, and returned
// before the answer. Asking before the hold would cost every request a trip to the object, which is the longest part of
// the answer for a distant caller. So an isolate that was refused remembers it for a moment, and refuses what cannot
// fit before anything is held. It remembers the fleet's refusals by shard: for everyone, or for one account.

/** How long a refusal is remembered. */
const KNOWN_FOR_MS = 1_000;
/** Beyond this many refusals the oldest are forgotten: then the fleet is asked. */
const WORDS_MAX = 10_000;
/** The Retry-After of a refusal. A share frees up as batches end, which takes seconds. */
const RETRY_S = { full: 1, share: 5 } as const;

/** `account`: null if it is unknown. */
export type Asker = { readonly shard: number; readonly account: string | null };

type Word = { readonly lack: Lack; readonly addresses: number; readonly untilMs: number };
const words = new Map<string, Word>();

/** Remembers that the fleet had no room for this many addresses. */
export function rememberNoRoom({ shard, account }: Asker, lack: Lack, addresses: number, nowMs: number): void {
  const key = lack === 'full' ? String(shard) : `${shard} of ${account ?? ''}`;
  const smallest = Math.min(addresses, wordAt(key, nowMs)?.addresses ?? Infinity);
  keepLatest(words, key, { lack, addresses: smallest, untilMs: nowMs + KNOWN_FOR_MS }, WORDS_MAX);
}

/** @throws RequestError RATE_LIMITED if a batch no larger was refused a moment ago, for everyone or for this account */
export function checkRoom({ shard, account }: Asker, addresses: number, nowMs: number): void {
  if (addresses === 0) return;
  for (const key of [String(shard), ...(account === null ? [] : [`${shard} of ${account}`])]) {
    const word = wordAt(key, nowMs);
    if (word !== null && addresses >= word.addresses) throw noRoomFor(word.lack);
  }
}

/** The refusal of a batch for which there is no room. */
export function noRoomFor(lack: Lack): RequestError {
  const retryS = RETRY_S[lack];
  const why =
    lack === 'full'
      ? 'The service is busy.'
      : 'The service is busy, and your account has its share of the work in progress.';
  return new RequestError('RATE_LIMITED', `${why} Nothing was charged: try again in ${seconds(retryS)}.`, {
    'retry-after': String(retryS),
  });
}

function seconds(count: number): string {
  return count === 1 ? 'a second' : `${count} seconds`;
}

function wordAt(key: string, nowMs: number): Word | null {
  const word = words.get(key);
  return word === undefined || word.untilMs <= nowMs ? null : word;
}
