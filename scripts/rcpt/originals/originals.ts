import { createHash } from 'node:crypto';
import { identityOf, mayBeAddress } from '../../../schema/client/list/entry.ts';
import { Bits } from './bits.ts';
import { Spill } from './spill.ts';

// Which addresses of a list stood in it before, in a few bits of memory for each: first by what their hashes begin with, so
// that equal ones meet in a small part of them; then by their places, so that a reader of the list has them as it comes by.

const BUCKETS = 256;
const HASH_BYTES = 16;
const PLACE_BYTES = 6;
/** Places whose originals are in memory at once. */
const RANGE = 131_072;

/** Where each address of a list stands first. Places are counted from 0. */
export type Originals = {
  /** Different addresses. */
  readonly distinct: number;
  /** Whether asking the address of a place may cost a credit. */
  readonly mayCost: (place: number) => boolean;
  /** Whether it is there for the first time. */
  readonly isFirst: (place: number) => boolean;
  /** For one reader who goes through the list: the place where the address of a place stands first. */
  readonly reader: () => (place: number) => number;
  readonly close: () => void;
};

/** Takes the addresses of a list one after the other. */
export class OriginalsFinder {
  readonly #hashes = new Spill(HASH_BYTES + PLACE_BYTES);
  readonly #record = Buffer.allocUnsafe(HASH_BYTES + PLACE_BYTES);
  readonly #mayCost = new Bits();
  #places = 0;

  /** @throws Failure */
  add(email: string): void {
    const hash = createHash('sha256').update(identityOf(email)).digest();
    this.#record.set(hash.subarray(0, HASH_BYTES));
    this.#record.writeUIntLE(this.#places, HASH_BYTES, PLACE_BYTES);
    this.#hashes.add(hash.readUInt8(0) % BUCKETS, this.#record);
    if (mayBeAddress(email)) this.#mayCost.add(this.#places);
    this.#places += 1;
  }

  /** After the last. @throws Failure */
  finish(): Originals {
    const copies = new Bits();
    const pairs = new Spill(PLACE_BYTES * 2);
    const pair = Buffer.allocUnsafe(PLACE_BYTES * 2);
    let count = 0;
    for (const bucket of this.#hashes.buckets) {
      const firsts = new Map<string, number>();
      for (const record of this.#hashes.records(bucket)) {
        const hash = record.toString('latin1', 0, HASH_BYTES);
        const place = record.readUIntLE(HASH_BYTES, PLACE_BYTES);
        const first = firsts.get(hash);
        if (first === undefined) {
          firsts.set(hash, place);
          continue;
        }
        copies.add(place);
        count += 1;
        pair.writeUIntLE(place, 0, PLACE_BYTES);
        pair.writeUIntLE(first, PLACE_BYTES, PLACE_BYTES);
        pairs.add(Math.floor(place / RANGE), pair);
      }
    }
    this.#hashes.close();
    return {
      distinct: this.#places - count,
      mayCost: (place) => this.#mayCost.has(place),
      isFirst: (place) => !copies.has(place),
      reader: () => readerOf(copies, pairs),
      close: () => pairs.close(),
    };
  }
}

function readerOf(copies: Bits, pairs: Spill): (place: number) => number {
  let range = -1;
  let firsts = new Map<number, number>();
  return (place) => {
    if (!copies.has(place)) return place;
    const wanted = Math.floor(place / RANGE);
    if (wanted !== range) {
      range = wanted;
      firsts = new Map();
      for (const pair of pairs.records(range))
        firsts.set(pair.readUIntLE(0, PLACE_BYTES), pair.readUIntLE(PLACE_BYTES, PLACE_BYTES));
    }
    return firsts.get(place) ?? place;
  };
}
