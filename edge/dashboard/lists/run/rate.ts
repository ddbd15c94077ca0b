/** So far back looks the rate: it follows the service, and does not jump with each answer. */
const WINDOW_MS = 30_000;
const SAMPLES_MAX = 120;

/** How fast answers come, and how long the rest takes. Pure: the time is passed in. */
export class Rate {
  readonly #samples: { readonly atMs: number; readonly answered: number }[] = [];

  /** @param answered so far */
  addSample(atMs: number, answered: number): void {
    this.#samples.push({ atMs, answered });
    const [first] = this.#samples;
    if (first === undefined) return;
    if (this.#samples.length > SAMPLES_MAX || atMs - first.atMs > WINDOW_MS) this.#samples.shift();
  }

  /** Addresses a minute; null before there is anything to go by. */
  get perMinute(): number | null {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || last.atMs - first.atMs < 2_000) return null;
    return ((last.answered - first.answered) / (last.atMs - first.atMs)) * 60_000;
  }

  /** Seconds until `left` more are answered; null if nobody can say. */
  secondsFor(left: number): number | null {
    const { perMinute } = this;
    return perMinute === null || perMinute === 0 ? null : (left / perMinute) * 60;
  }
}
