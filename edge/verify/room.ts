import { RequestError } from '../../schema/errors.ts';
import { keepLatest } from '../../schema/keep-latest.ts';
import type { AccountClass, Lack } from '../../schema/shares.ts';

// A fleet that has no room for a batch says so when it is asked to run it: the credits are held by then, and go back
// before the answer. To ask it before the hold would cost every request a trip to the object, which for a caller far
// away is the longest part of the answer. So an isolate that was told remembers it for a moment, and refuses what cannot
// fit before anything is held. What it remembers is the fleet's own word, by shard: of everybody, of a class, or of one
// account.

/** How long the fleet's word holds. */
const KNOWN_FOR_MS = 1_000;
/** Of more words than these the oldest are forgotten: then the fleet is asked. */
const WORDS_MAX = 10_000;
/** What a caller is told to wait. A share comes back with batches that end, which takes seconds. */
const RETRY_S = { full: 1, share: 5 } as const;

/** Why a batch was not begun. `ofClass`: no account of that class would have been given as much. */
export type NoRoom = { readonly lack: Lack; readonly ofClass: boolean };
/** `class`: null if it is not known, or was not asked about lately. */
export type Asker = { readonly shard: number; readonly account: string | null; readonly class: AccountClass | null };

type Word = { readonly noRoom: NoRoom; readonly addresses: number; readonly untilMs: number };
const words = new Map<string, Word>();

/** The fleet had no room for this many addresses. */
export function rememberNoRoom(asker: Asker, noRoom: NoRoom, addresses: number, nowMs: number): void {
  const { shard } = asker;
  const key =
    noRoom.lack === 'full'
      ? String(shard)
      : noRoom.ofClass
        ? `${shard} ${asker.class ?? ''}`
        : `${shard} of ${asker.account ?? ''}`;
  const known = wordAt(key, nowMs);
  const smallest = Math.min(addresses, known?.addresses ?? Infinity);
  keepLatest(words, key, { noRoom, addresses: smallest, untilMs: nowMs + KNOWN_FOR_MS }, WORDS_MAX);
}

/** @throws RequestError RATE_LIMITED if a batch no larger was refused a moment ago, to everybody, this class or this account */
export function checkRoom(asker: Asker, addresses: number, nowMs: number): void {
  if (addresses === 0) return;
  const { shard, account } = asker;
  const keys = [String(shard)];
  if (asker.class !== null) keys.push(`${shard} ${asker.class}`);
  if (account !== null) keys.push(`${shard} of ${account}`);
  for (const key of keys) {
    const word = wordAt(key, nowMs);
    if (word !== null && addresses >= word.addresses) throw noRoomFor(word.noRoom);
  }
}

/** What the caller of a batch is told for which there is no room. */
export function noRoomFor({ lack, ofClass }: NoRoom): RequestError {
  const retryS = RETRY_S[lack];
  return new RequestError(
    'RATE_LIMITED',
    `${whyOf(lack, ofClass)} Nothing was charged: try again in ${seconds(retryS)}.`,
    {
      'retry-after': String(retryS),
    },
  );
}

function whyOf(lack: Lack, ofClass: boolean): string {
  if (lack === 'full') return 'The service is busy.';
  return ofClass
    ? 'The service is busy, and accounts that have bought credits come first.'
    : 'The service is busy, and your account has its share of the work in progress.';
}

function seconds(count: number): string {
  return count === 1 ? 'a second' : `${count} seconds`;
}

function wordAt(key: string, nowMs: number): Word | null {
  const word = words.get(key);
  return word === undefined || word.untilMs <= nowMs ? null : word;
}
