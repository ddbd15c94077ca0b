import { within } from './within.ts';

/** Hands work over, so that it goes on although the call that began it is over. */
type WaitUntil = (work: Promise<unknown>) => void;
type Reading<T> = { readonly begunMs: number; readonly value: Promise<T> };

/**
 * What an isolate has read last, for all its calls: one read runs at a time, however many ask. A flood of calls costs
 * the one who is read no more than one caller does who asks again as soon as he is answered.
 */
export class Latest<T> {
  readonly #patienceMs: number;
  readonly #nowMs: () => number;
  #last: { readonly begunMs: number; readonly value: T } | null = null;
  #reading: Reading<T> | null = null;

  /** @param patienceMs a read that takes longer is given up: those who wait for it get an error, the next begins anew */
  constructor(patienceMs: number, nowMs: () => number = Date.now) {
    this.#patienceMs = patienceMs;
    this.#nowMs = nowMs;
  }

  /** What was read last, and when that read began; null if none has ended well. */
  get last(): { readonly begunMs: number; readonly value: T } | null {
    return this.#last;
  }

  /**
   * What a read found that began at `sinceMs` or later: remembered, under way, or begun for this.
   * @throws what `read` throws, which is not remembered; Error if it takes too long
   */
  async get(sinceMs: number, read: () => Promise<T>, waitUntil: WaitUntil): Promise<T> {
    for (;;) {
      if (this.#last !== null && this.#last.begunMs >= sinceMs) return this.#last.value;
      const reading = this.#reading;
      if (reading === null || this.#nowMs() - reading.begunMs >= this.#patienceMs) return this.#begin(read, waitUntil);
      const value = within(this.#patienceMs, reading.value);
      if (reading.begunMs >= sinceMs) return value;
      await value.catch(() => {});
    }
  }

  #begin(read: () => Promise<T>, waitUntil: WaitUntil): Promise<T> {
    const begunMs = this.#nowMs();
    const value = within(this.#patienceMs, read());
    const reading = { begunMs, value };
    this.#reading = reading;
    const ended = (found: { readonly value: T } | null): void => {
      if (this.#reading !== reading) return;
      this.#reading = null;
      if (found !== null) this.#last = { begunMs, value: found.value };
    };
    // Others wait for it too: its own caller's going away must not end it.
    waitUntil(
      value.then(
        (found) => ended({ value: found }),
        () => ended(null),
      ),
    );
    return value;
  }
}
