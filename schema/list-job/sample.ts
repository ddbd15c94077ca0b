import type { Journal } from '../client/index.ts';
import type { Price } from './price.ts';

// A few addresses of a list, asked before the rest. Their results stand in the list's journal, and are not paid for again.

/** Enough to see the shares within ten points. */
export const SAMPLE = 100;

/**
 * Addresses without a result, at random, by their numbers. Those of open requests are asked with these.
 * @param random from 0 up to 1
 */
export function pickSample(
  size: number,
  addresses: number,
  isKnown: (number: number) => boolean,
  { awaited }: Price,
  random: () => number = Math.random,
): readonly number[] {
  const picked: number[] = [];
  let seen = 0;
  for (let number = 0; number < addresses; number += 1) {
    if (isKnown(number) || awaited.has(number)) continue;
    seen += 1;
    if (picked.length < size) picked.push(number);
    else {
      const place = Math.floor(random() * seen);
      if (place < size) picked[place] = number;
    }
  }
  return picked.toSorted((one, other) => one - other);
}

/** The journal of a list, for a run that asks these of its addresses alone. Requests with others are left for the run of all. */
export function partOf(journal: Journal, numbers: ReadonlySet<number>): Journal {
  const requests: Journal['requests'] = async () => {
    const { open, spent } = await journal.requests();
    return { open: open.filter(({ entries }) => entries.every(({ index }) => numbers.has(index))), spent };
  };
  return { ...journal, requests };
}

/** How far a share of so many random addresses may be from that of all: in percentage points, 19 times of 20. */
export function pointsOff(addresses: number): number {
  return Math.ceil(98 / Math.sqrt(addresses));
}

/** What the rest costs if it is like what was answered, in credits; null: nobody can say. */
export function estimateOf(
  left: number,
  { answered, charged }: { readonly answered: number; readonly charged: number },
) {
  return answered === 0 ? null : Math.round((Math.min(charged, answered) / answered) * left);
}
