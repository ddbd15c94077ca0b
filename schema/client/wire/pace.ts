import type { Clock } from '../base/clock.ts';

const BACK_OFF_FIRST_MS = 500;
const BACK_OFF_MOST_MS = 30_000;

/**
 * When the next request may begin: after a failure, and as long as `Retry-After` says, which ends with the window of the key's
 * rate limit. The limit belongs to the key, so all lists of a client share one of these.
 */
export class Pace {
  readonly #clock: Clock;
  #restsUntilMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** When a request may begin; may be in the past. */
  get nextMs(): number {
    return this.#restsUntilMs;
  }

  /**
   * After a failure nothing is sent for a while, with full jitter, so that many clients do not come back at once.
   * @param failures in a row, from 1
   * @param retryAfterMs asked for by the service
   */
  rest(failures: number, retryAfterMs: number): void {
    const most = Math.min(BACK_OFF_MOST_MS, BACK_OFF_FIRST_MS * 2 ** Math.min(failures - 1, 10));
    const pauseMs = retryAfterMs + this.#clock.random() * most;
    this.#restsUntilMs = Math.max(this.#restsUntilMs, this.#clock.now() + pauseMs);
  }
}
