/** Credits that a session may spend. What may be spent by calls under way counts as spent, so that it is never passed. */
export class Allowance {
  readonly #ceiling: number;
  #spent = 0;
  #held = 0;

  constructor(ceiling: number) {
    this.#ceiling = ceiling;
  }

  get left(): number {
    return this.#ceiling - this.#spent - this.#held;
  }

  /** @returns how to settle it with what it came to, once; null if there is not so much left */
  hold(credits: number): ((spent: number) => void) | null {
    if (credits > this.left) return null;
    this.#held += credits;
    let isSettled = false;
    return (spent) => {
      if (isSettled) return;
      isSettled = true;
      this.#held -= credits;
      this.#spent += spent;
    };
  }
}
