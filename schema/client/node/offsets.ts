import { RcptError } from '../base/errors.ts';

/** 800 MB of offsets: a bound for damaged journals. */
const PLACES_MAX = 100_000_000;

/** The offset of each place's record in a journal. */
export class Offsets {
  /** The offset plus one; 0: no record. */
  #bytes = new Float64Array(1_024);

  /** @returns null: no record */
  get(index: number): number | null {
    const value = this.#bytes[index] ?? 0;
    return value === 0 ? null : value - 1;
  }

  /** @throws RcptError JOURNAL_BROKEN */
  set(index: number, offset: number): void {
    if (index >= PLACES_MAX)
      throw new RcptError('JOURNAL_BROKEN', `A journal in a file has room for ${PLACES_MAX} entries.`);
    if (index >= this.#bytes.length) {
      const larger = new Float64Array(Math.max(index + 1, this.#bytes.length * 2));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[index] = offset + 1;
  }
}
