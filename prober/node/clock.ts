import { monotonicMs } from '../base/monotonic.ts';
import type { Clock } from '../engine/ports/ports.ts';

/** The longest delay of a Node timer; a longer one would fire at once. */
const DELAY_MS_MAX = 2_147_483_647;

export const clock: Clock = {
  now: monotonicMs,
  after(delayMs, run) {
    // The event loop counts in whole milliseconds of its own: with one more, no timer fires early.
    const timer = setTimeout(run, Math.min(DELAY_MS_MAX, Math.max(0, Math.ceil(delayMs)) + 1));
    return () => clearTimeout(timer);
  },
};
