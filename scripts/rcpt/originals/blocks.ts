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

  add(email: string): void {
    this.#hash ??= createHash('sha256');
    this.#hash.update(`${email}\n`);
    this.#inBlock += 1;
    if (this.#inBlock === BLOCK) this.end();
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

  /** Whether the nth block was made of these. */
  isSame(nth: number, emails: readonly string[]): boolean {
    if (nth >= this.#count) return false;
    const hash = createHash('sha256');
    for (const email of emails) hash.update(`${email}\n`);
    return hash
      .digest()
      .subarray(0, SUM_BYTES)
      .equals(this.#sums.subarray(nth * SUM_BYTES, (nth + 1) * SUM_BYTES));
  }

  get count(): number {
    return this.#count;
  }
}
