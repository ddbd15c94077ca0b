import { createHash, type Hash } from 'node:crypto';

/** Addresses that are compared at once. */
export const BLOCK = 256;
const SUM_BYTES = 8;

/** What a list held when it was read first, a few bits for each address: enough to find out that it was changed since. */
export class Blocks {
  #sums = Buffer.alloc(SUM_BYTES * 64);
  #count = 0;
  #hash: Hash | null = null;
  #inBlock = 0;

  /** Whether a block ends with it. */
  add(email: string): boolean {
    this.#hash ??= createHash('sha256');
    this.#hash.update(`${email}\n`);
    this.#inBlock += 1;
    if (this.#inBlock < BLOCK) return false;
    this.end();
    return true;
  }

  /** After the last. */
  end(): void {
    if (this.#hash === null) return;
    if ((this.#count + 1) * SUM_BYTES > this.#sums.length)
      this.#sums = Buffer.concat([this.#sums, Buffer.alloc(this.#sums.length)]);
    this.#hash.digest().copy(this.#sums, this.#count * SUM_BYTES, 0, SUM_BYTES);
    this.#count += 1;
    this.#hash = null;
    this.#inBlock = 0;
  }

  /** Whether another reading is the same as far as its last whole block; at its end also whether it has as many. */
  agreesWith(other: Blocks, isEnd: boolean): boolean {
    const end = other.#count * SUM_BYTES;
    if (other.#count > this.#count || (isEnd && other.#count < this.#count)) return false;
    const last = Math.max(0, end - SUM_BYTES);
    return this.#sums.subarray(last, end).equals(other.#sums.subarray(last, end));
  }
}
