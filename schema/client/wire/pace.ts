import type { Clock } from '../base/clock.ts';
import { readCount } from './headers.ts';

// When the next request may begin: within the service's `RateLimit-*` headers, after its `Retry-After`, and after a pause
// when something failed. The window belongs to the key, so all lists of a client share one of these.

const BACK_OFF_FIRST_MS = 500;
const BACK_OFF_MOST_MS = 30_000;
/** The longest Retry-After that is respected. */
const REST_MOST_MS = 300_000;
/** The service's window. */
const WINDOW_MS = 60_000;
/** The header counts whole seconds. */
const WINDOW_SLACK_MS = 1_500;

export class Pace {
  readonly #clock: Clock;
  /** Requests left in the window; infinity while the service has named no limit. */
  #left = Infinity;
  #limit = Infinity;
  #windowEndsMs = 0;
  #restsUntilMs = 0;
  /** Requests without a response yet. */
  #unanswered = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** When a request may begin; may be in the past. */
  get nextMs(): number {
    this.#turnWindow();
    return Math.max(this.#restsUntilMs, this.#left > 0 ? 0 : this.#windowEndsMs);
  }

  /** @returns to be called when a response has begun, with its headers, or will not come: only the first call counts */
  begin(): (headers: Headers | null) => void {
    this.#turnWindow();
    this.#left -= 1;
    this.#unanswered += 1;
    let isNoted = false;
    return (headers) => {
      if (isNoted) return;
      isNoted = true;
      this.#unanswered -= 1;
      if (headers !== null) this.#noteWindow(headers);
    };
  }

  #noteWindow(headers: Headers): void {
    const limit = readCount(headers, 'ratelimit-limit');
    const remaining = readCount(headers, 'ratelimit-remaining');
    const resetS = readCount(headers, 'ratelimit-reset');
    if (limit === null || remaining === null || resetS === null) return;
    const now = this.#clock.now();
    const endsMs = now + Math.min(resetS * 1_000, REST_MOST_MS);
    const isNew = this.#windowEndsMs <= now || endsMs > this.#windowEndsMs + WINDOW_SLACK_MS;
    // The service may not have counted requests in flight.
    const left = remaining - this.#unanswered;
    this.#left = isNew ? left : Math.min(this.#left, left);
    this.#windowEndsMs = isNew ? endsMs : Math.max(this.#windowEndsMs, endsMs);
    this.#limit = limit;
  }

  /**
   * After a failure nothing is sent for a while, with full jitter, so that many clients do not come back at once.
   * @param failures in a row, from 1
   * @param retryAfterMs asked for by the service
   */
  rest(failures: number, retryAfterMs: number): void {
    const most = Math.min(BACK_OFF_MOST_MS, BACK_OFF_FIRST_MS * 2 ** Math.min(failures - 1, 10));
    const pauseMs = Math.min(retryAfterMs, REST_MOST_MS) + this.#clock.random() * most;
    this.#restsUntilMs = Math.max(this.#restsUntilMs, this.#clock.now() + pauseMs);
  }

  #turnWindow(): void {
    const now = this.#clock.now();
    if (this.#left === Infinity || now < this.#windowEndsMs) return;
    // The next response says when the new window ends.
    this.#left = this.#limit - this.#unanswered;
    this.#windowEndsMs = now + WINDOW_MS;
  }
}
