import { within } from './within.ts';

/** Hands work over, so that it continues after the call that began it. */
type WaitUntil = (work: Promise<unknown>) => void;
type Reading<T> = { readonly begunMs: number; readonly value: Promise<T> };

/**
 * The latest value read by an isolate, shared by all its calls: one read runs at a time, however many ask. A flood of
 * calls costs the source no more than a single caller that asks again as soon as it is answered.
 */
export class Latest<T> {
  readonly #timeoutMs: number;
  readonly #nowMs: () => number;
  #last: { readonly begunMs: number; readonly value: T } | null = null;
  #reading: Reading<T> | null = null;

  /** @param timeoutMs a read that takes longer is given up: its callers get an error, the next caller reads again */
  constructor(timeoutMs: number, nowMs: () => number = Date.now) {
    this.#timeoutMs = timeoutMs;
    this.#nowMs = nowMs;
  }

  /** The latest value, and when its read began; null if none has succeeded. */
  get last(): { readonly begunMs: number; readonly value: T } | null {
    return this.#last;
  }

  /**
   * The value of a read that began at `sinceMs` or later: cached, in progress, or started now.
   * @throws what `read` throws, which is not cached; Error if it takes too long
   */
  async get(sinceMs: number, read: () => Promise<T>, waitUntil: WaitUntil): Promise<T> {
    for (;;) {
      if (this.#last !== null && this.#last.begunMs >= sinceMs) return this.#last.value;
      const reading = this.#reading;
      if (reading === null || this.#nowMs() - reading.begunMs >= this.#timeoutMs) return this.#begin(read, waitUntil);
      const value = within(this.#timeoutMs, reading.value);
      if (reading.begunMs >= sinceMs) return value;
      await value.catch(() => {});
    }
  }

  #begin(read: () => Promise<T>, waitUntil: WaitUntil): Promise<T> {
    const begunMs = this.#nowMs();
    const value = within(this.#timeoutMs, read());
    const reading = { begunMs, value };
    this.#reading = reading;
    const ended = (found: { readonly value: T } | null): void => {
      if (this.#reading !== reading) return;
      this.#reading = null;
      if (found !== null) this.#last = { begunMs, value: found.value };
    };
    // Others wait for it too: it must survive the disconnect of its own caller.
    waitUntil(
      value.then(
        (found) => ended({ value: found }),
        () => ended(null),
      ),
    );
    return value;
  }
}
