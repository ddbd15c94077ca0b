import type { Clock } from '../engine/ports/ports.ts';

/** Real time, for the few tests on real sockets. */
export const realClock: Clock = {
  now: () => performance.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
