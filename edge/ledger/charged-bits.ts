import { type SlotIndex, slotIndex } from '../base/indexes.ts';

// Which elements of a request were charged, as stored in D1: one bit each, 4 to a hexadecimal digit, the first in the
// lowest bit. An element is identified by its place in the request, which is the same in every request with the same
// body, no matter how the service reads its entries.

/** @param elements of the request, charged or not */
export function writeBits(places: Iterable<SlotIndex>, elements: number): string {
  const digits = Array.from({ length: Math.ceil(elements / 4) }, () => 0);
  for (const place of places) {
    const digit = Math.floor(place / 4);
    digits[digit] = (digits[digit] ?? 0) | (1 << (place % 4));
  }
  return digits.map((digit) => digit.toString(16)).join('');
}

/** Reads what `writeBits` wrote. */
export function readBits(bits: string): ReadonlySet<SlotIndex> {
  const places = new Set<SlotIndex>();
  for (let place = 0; place < 4 * bits.length; place += 1) {
    const digit = Number.parseInt(bits.charAt(Math.floor(place / 4)), 16);
    if (((digit >> (place % 4)) & 1) === 1) places.add(slotIndex(place));
  }
  return places;
}

/** SQL: 1 if the bit of this place is set, else 0; null if there are no bits. */
export const bitAt = (bits: string, place: string): string =>
  `(instr('123456789abcdef', substr(${bits}, ${place} / 4 + 1, 1)) >> (${place} % 4) & 1)`;
