/** So far back looks the rate: it follows the service, and does not jump with each answer. */
const WINDOW_MS = 30_000;
const SAMPLES_MAX = 120;
/** After so long without an answer nobody knows how fast the next ones come. */
const QUIET_MS = 5_000;

/** How fast answers come, and how long the rest takes. Pure: the time is passed in. */
export class Rate {
  readonly #samples: { readonly atMs: number; readonly answered: number }[] = [];

  #grewAtMs = 0;

  /** @param answered so far */
  addSample(atMs: number, answered: number): void {
    if (answered !== this.#samples.at(-1)?.answered) this.#grewAtMs = atMs;
    this.#samples.push({ atMs, answered });
    const [first] = this.#samples;
    if (first === undefined) return;
    if (this.#samples.length > SAMPLES_MAX || atMs - first.atMs > WINDOW_MS) this.#samples.shift();
  }

  /** Addresses a minute, 0 if none have come for a while; null before there is anything to go by. */
  get perMinute(): number | null {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || last.atMs - first.atMs < 2_000) return null;
    if (last.atMs - this.#grewAtMs >= QUIET_MS) return 0;
    return ((last.answered - first.answered) / (last.atMs - first.atMs)) * 60_000;
  }

  /** Seconds until `left` more are answered; null if nobody can say. */
  secondsFor(left: number): number | null {
    const { perMinute } = this;
    return perMinute === null || perMinute === 0 ? null : (left / perMinute) * 60;
  }
}
