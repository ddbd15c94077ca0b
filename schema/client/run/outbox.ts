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

/** Results that the caller has not taken yet, as they came. */
export class Outbox<Input extends Listed> {
  readonly #items = new Map<number, Item<Input>>();
  #answered = 0;
  #taken = 0;

  /** Addresses whose result is final. */
  get answered(): number {
    return this.#answered;
  }

  /** The caller is slower than the service. */
  get isFull(): boolean {
    return this.#items.size >= READY_MAX;
  }

  /** Adds the result of an entry at all its places. */
  add({ index, input, asked, copies }: Entry<Input>, result: OpenResult): void {
    this.#answered += 1;
    const others = copies.map((copy) => {
      return { ...copy, result: { ...result, email: spelling(emailOf(copy.input, copy.index)) } };
    });
    for (const item of [{ index, input, result }, ...others])
      this.#items.set(this.#taken + this.#items.size, { ...item, asked });
  }

  /** The next item; null if there is none yet. */
  shift(): Item<Input> | null {
    const item = this.#items.get(this.#taken) ?? null;
    if (item !== null) this.#items.delete(this.#taken++);
    return item;
  }
}
