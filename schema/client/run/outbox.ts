import { emailOf, type Listed } from '../list/source.ts';
import type { Entry } from '../list/entry.ts';
import { spelling, type OpenResult } from '../../words/result.ts';

/** One result for the caller. */
export type Item<Input> = {
  /** The place in the list, from 0. */
  readonly index: number;
  /** What stood there. */
  readonly input: Input;
  readonly result: OpenResult;
  /** How many times it was asked; 0 for an entry so long that it cannot be an address and was not sent. */
  readonly asked: number;
};

/** With this many untaken results, no more is asked. */
const READY_MAX = 2_000;

/** Results that the caller has not taken yet: as they came, or in the order of the list. */
export class Outbox<Input extends Listed> {
  readonly #items = new Map<number, Item<Input>>();
  readonly #isOrdered: boolean;
  /** What is left behind a gap that nothing will fill, the last first. */
  #behindGap: Item<Input>[] = [];
  #answered = 0;
  #added = 0;
  #next = 0;

  constructor(isOrdered: boolean) {
    this.#isOrdered = isOrdered;
  }

  /** Addresses whose result is final. */
  get answered(): number {
    return this.#answered;
  }

  /** The caller is slower than the service. */
  get isFull(): boolean {
    return this.#items.size >= READY_MAX && this.#items.has(this.#next);
  }

  /** Adds the result of an entry at all its places. */
  add({ index, input, asked, copies }: Entry<Input>, result: OpenResult): void {
    this.#answered += 1;
    this.#put({ index, input, result, asked });
    for (const copy of copies)
      this.#put({ ...copy, asked, result: { ...result, email: spelling(emailOf(copy.input, copy.index)) } });
  }

  /**
   * The next item; null if there is none, or one before it is not known.
   * @param skipsGaps take what there is: the others will not come
   */
  shift(skipsGaps: boolean): Item<Input> | null {
    const item = this.#items.get(this.#next);
    if (item !== undefined) {
      this.#items.delete(this.#next);
      this.#next += 1;
      return item;
    }
    if (!skipsGaps) return null;
    if (this.#items.size > 0) {
      this.#behindGap = [...this.#behindGap, ...this.#items.values()].toSorted((one, other) => other.index - one.index);
      this.#items.clear();
    }
    return this.#behindGap.pop() ?? null;
  }

  #put(item: Item<Input>): void {
    this.#items.set(this.#isOrdered ? item.index : this.#added, item);
    this.#added += 1;
  }
}
