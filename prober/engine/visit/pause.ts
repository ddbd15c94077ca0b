import type { Clock } from '../ports/ports.ts';

/** A server takes its time to see that a connection has ended, and may refuse the next one until then; longer each time. */
const AGAIN_AFTER_MS = 250;

/** Waits before it is tried again, longer after each failure in a row; no longer than the batch lasts. */
export function pauseAfter(failures: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      cancel();
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const cancel = clock.after(failures * AGAIN_AFTER_MS, wake);
    if (signal.aborted) wake();
    else signal.addEventListener('abort', wake, { once: true });
  });
}
