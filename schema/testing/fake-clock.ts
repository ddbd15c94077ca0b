type Timer = { readonly at: number; readonly run: () => void };

/** Rounds of the event loop without a timer of ours after which nothing is under way but waiting. */
const IDLE_ROUNDS = 3;

/** A clock that stands still until a test moves it. Timers run in order of their time. */
export class FakeClock {
  #now = 0;
  #timers: Timer[] = [];

  now(): number {
    return this.#now;
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { at: this.#now + Math.max(0, delayMs), run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer);
    };
  }

  /** Timers not yet run: a test that ends with none has freed all. */
  get pending(): number {
    return this.#timers.length;
  }

  /** Lets everything that needs no time happen. */
  async settle(): Promise<void> {
    for (let round = 0; round < IDLE_ROUNDS; round += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Moves time on, running what falls due on the way. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    await this.settle();
    for (let timer = this.#next(until); timer !== null; timer = this.#next(until)) {
      this.#run(timer);
      await this.settle();
    }
    this.#now = until;
  }

  /** Moves time from timer to timer until the work is done, at most `limitMs`. */
  async finish<T>(work: Promise<T>, limitMs = 3_600_000): Promise<T> {
    const state = { done: false };
    const mark = (): void => {
      state.done = true;
    };
    work.then(mark, mark);
    const until = this.#now + limitMs;
    await this.settle();
    while (!state.done) {
      const timer = this.#next(until);
      if (timer === null) throw new Error(`the work waits for nothing at ${this.#now} ms`);
      this.#run(timer);
      await this.settle();
    }
    return work;
  }

  #next(until: number): Timer | null {
    // Of those that fall due together, the first that was set.
    return this.#timers
      .filter(({ at }) => at <= until)
      .reduce<Timer | null>((first, timer) => (first === null || timer.at < first.at ? timer : first), null);
  }

  #run(timer: Timer): void {
    this.#timers = this.#timers.filter((one) => one !== timer);
    this.#now = Math.max(this.#now, timer.at);
    timer.run();
  }
}
