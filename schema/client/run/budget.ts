import { addCosts, type Cost, NO_COST } from '../journal/requests.ts';

// Credits, counted so that the caller's ceiling always holds. A request may cost as much as it has entries
// until its cost is known.

/** The credits of one request, from its beginning to its end. */
export type Hold = {
  /** An attempt may have been charged without a bill. */
  readonly doubt: () => void;
  /** What it has cost. Once. */
  readonly settle: (cost: Cost) => void;
};

export class Budget {
  readonly #ceiling: number;
  #spent = NO_COST;
  /** Of requests under way, and of them those in doubt. */
  #held = 0;
  #doubted = 0;

  constructor(ceiling: number) {
    this.#ceiling = ceiling;
  }

  /** What is spent. `unsure`: at most what requests without a bill cost besides. */
  get spent(): Cost {
    return { ...this.#spent, unsure: this.#spent.unsure + this.#doubted };
  }

  /** What may be begun now; less than nothing if the ceiling is below what earlier runs have begun. */
  get left(): number {
    return this.#ceiling - this.#spent.charged - this.#spent.unsure - this.#held;
  }

  /** Counts what earlier runs have spent. */
  add(cost: Cost): void {
    this.#spent = addCosts(this.#spent, cost);
  }

  hold(credits: number): Hold {
    this.#held += credits;
    let doubted = 0;
    const doubt = (): void => {
      this.#doubted += credits - doubted;
      doubted = credits;
    };
    const settle = (cost: Cost): void => {
      this.#held -= credits;
      this.#doubted -= doubted;
      this.add(cost);
    };
    return { doubt, settle };
  }
}
