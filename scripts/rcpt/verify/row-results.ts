import { Bell } from '../../../schema/client/run/bell.ts';
import type { RowResult } from '../../../schema/lists/columns/result-columns.ts';

/** Answers as they come, in any order, for one reader who takes them by their place in the list. */
export class RowResults {
  readonly #known = new Map<number, RowResult>();
  readonly #keeps: boolean;
  readonly #bell = new Bell();
  #hasEnded = false;

  /** @param keeps whether an answer may be asked for again, because its address stands in several places */
  constructor(keeps: boolean) {
    this.#keeps = keeps;
  }

  add(place: number, answer: RowResult): void {
    this.#known.set(place, answer);
    this.#bell.ring();
  }

  /** No more will come. */
  end(): void {
    this.#hasEnded = true;
    this.#bell.ring();
  }

  /** Waits for the first. @returns false if none came */
  async begun(): Promise<boolean> {
    while (this.#known.size === 0 && !this.#hasEnded) await this.#bell.rung();
    return this.#known.size > 0;
  }

  /** Whether the answer of this place need not be waited for. */
  has(place: number): boolean {
    return this.#hasEnded || this.#known.has(place);
  }

  /** Takes the answer of this place, waiting for it. @returns null if it never came */
  async receive(place: number): Promise<RowResult | null> {
    while (!this.has(place)) await this.#bell.rung();
    const answer = this.#known.get(place) ?? null;
    if (!this.#keeps) this.#known.delete(place);
    return answer;
  }
}
