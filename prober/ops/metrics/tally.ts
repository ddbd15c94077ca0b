import type { Counter } from 'prom-client';

/** Events of each address, counted as plain numbers until a page is read: the library checks its labels each time. */
export class Tally {
  readonly #counter: Counter;
  /** By the values of its labels, which are as few as the series. */
  readonly #times = new Map<string, { readonly values: readonly string[]; times: number }>();

  constructor(counter: Counter) {
    this.#counter = counter;
  }

  /** @param values of the counter's labels, in order */
  add(...values: readonly string[]): void {
    const key = values.join(' ');
    const counted = this.#times.get(key);
    if (counted === undefined) this.#times.set(key, { values, times: 1 });
    else counted.times += 1;
  }

  handOver(): void {
    for (const { values, times } of this.#times.values()) this.#counter.labels(...values).inc(times);
    this.#times.clear();
  }
}
