import type { Bill } from '../wire/call.ts';

// Credits, counted so that the caller's ceiling holds whatever happens. A request may cost as much as it has entries
// until its bill is known. If the bill never comes, it may have cost that much for ever: the service charges what it
// wrote, and what it wrote may have been lost on the way.

export class Budget {
  readonly #ceiling: number;
  #charged = 0;
  #returned = 0;
  #unsure = 0;
  #held = 0;

  constructor(ceiling: number) {
    this.#ceiling = ceiling;
  }

  /** By the bills of the service. */
  get charged(): number {
    return this.#charged;
  }

  get returned(): number {
    return this.#returned;
  }

  /** At most what requests without a bill cost besides. */
  get unsure(): number {
    return this.#unsure;
  }

  /** What may be begun now. */
  get left(): number {
    return this.#ceiling - this.#charged - this.#unsure - this.#held;
  }

  hold(credits: number): void {
    this.#held += credits;
  }

  settle(held: number, bill: Bill): void {
    this.#held -= held;
    if (bill === null) this.#unsure += held;
    this.#charged += bill?.charged ?? 0;
    this.#returned += bill?.returned ?? 0;
  }
}
