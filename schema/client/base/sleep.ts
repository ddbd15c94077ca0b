import type { Clock } from './clock.ts';

/** Resolves at this time of the clock, or as soon as the signal fires. */
export function sleepUntil(clock: Clock, untilMs: number, signal: AbortSignal | null): Promise<void> {
  const waitMs = untilMs - clock.now();
  if (waitMs <= 0 || signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      callOff();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const callOff = clock.after(waitMs, end);
    signal?.addEventListener('abort', end);
  });
}
