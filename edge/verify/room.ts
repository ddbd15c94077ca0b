import { RequestError } from '../../schema/errors.ts';

// A fleet without room says so when it is asked to run a batch: the credits are held by then, and go back before the
// answer. To ask it before the hold would cost every request a trip to the object, which for a caller far away is the
// longest part of the answer. So an isolate that was told remembers it for a moment, and refuses what cannot fit before
// anything is held. What it remembers is the fleet's own word about everybody, by shard: a batch that was refused for its
// own account's share tells nothing about others and is not remembered.

/** How long the fleet's word holds, and what a caller is told to wait. */
const FULL_S = 1;

type Word = { readonly addresses: number; readonly until: number };
/** By shard, of which there are at most a hundred. */
const full = new Map<number, Word>();

/** The fleet had no room for this many addresses. */
export function noteFull(shard: number, addresses: number, now: number): void {
  full.set(shard, { addresses: Math.min(addresses, wordOf(shard, now)), until: now + FULL_S * 1_000 });
}

/** @throws RequestError INTERNAL_ERROR if a batch no larger was refused a moment ago */
export function checkRoom(shard: number, addresses: number, now: number): void {
  if (addresses > 0 && addresses >= wordOf(shard, now)) throw fleetFull();
}

/** A batch for which there is no room. */
export function fleetFull(): RequestError {
  return new RequestError(
    'INTERNAL_ERROR',
    'The service is at its limit. This request costs nothing: send it again in a moment.',
    { 'retry-after': String(FULL_S) },
  );
}

/** The smallest batch that is known not to fit. */
function wordOf(shard: number, now: number): number {
  const word = full.get(shard);
  return word === undefined || word.until <= now ? Infinity : word.addresses;
}
