/** The rate of the first moments says little. */
const RATE_AFTER_MS = 2_000;

/** One go at a list: how fast it is, what it waits for, and how it is ended. */
export class Attempt {
  /** Requests in progress are finished. */
  readonly stop = new AbortController();
  /** At once. */
  readonly abort = new AbortController();
  /** Requests that wait until the service has ended an interrupted one. */
  conflicts = 0;
  /** Addresses that are asked again later, and when the first of them is. */
  putOff: { readonly addresses: number; readonly untilMs: number } | null = null;
  /** Addresses a minute since it began; null before there is anything to go by. */
  perMinute: number | null = null;
  readonly #begunAtMs: number;
  readonly #before: number;

  /** @param answered addresses of the list that have an answer already */
  constructor(atMs: number, answered: number) {
    this.#begunAtMs = atMs;
    this.#before = answered;
  }

  /** @param answered addresses of the list that have an answer by now */
  note(atMs: number, answered: number): void {
    const ms = atMs - this.#begunAtMs;
    if (ms >= RATE_AFTER_MS) this.perMinute = ((answered - this.#before) / ms) * 60_000;
  }
}
