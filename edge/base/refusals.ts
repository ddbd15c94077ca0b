import { keepLatest } from '../../schema/keep-latest.ts';

/** Some hundred bytes each. */
const ALL_MAX = 10_000;
const OF_ONE_MAX = 100;

type Refusal<V> = { readonly value: V; readonly untilMs: number };

/**
 * What was refused a moment ago: a caller that asks again at once costs no trip. It may be lost at any time, and then
 * whoever refused is asked again. One who is refused often displaces its own refusals, not those of others.
 */
export class Refusals<V> {
  /** By who was refused, the latest last; and then by what. */
  readonly #of = new Map<string, Map<string, Refusal<V>>>();
  #size = 0;

  /** What is remembered; null: nothing, or no longer. */
  find(who: string, what: string, nowMs: number): Refusal<V> | null {
    const known = this.#of.get(who)?.get(what);
    return known === undefined || known.untilMs <= nowMs ? null : known;
  }

  remember(who: string, what: string, value: V, untilMs: number): void {
    const own = this.#of.get(who) ?? new Map<string, Refusal<V>>();
    this.forget(who);
    keepLatest(own, what, { value, untilMs }, OF_ONE_MAX);
    this.#of.set(who, own);
    this.#size += own.size;
    for (const other of this.#of.keys()) {
      if (this.#size <= ALL_MAX) return;
      this.forget(other);
    }
  }

  forget(who: string): void {
    this.#size -= this.#of.get(who)?.size ?? 0;
    this.#of.delete(who);
  }
}
