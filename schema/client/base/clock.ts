/** Time and chance, as a port: tests bring their own. */
export type Clock = {
  /** Milliseconds that never go back and that no one can set. */
  readonly now: () => number;
  /** Runs something later. Returns how to call it off. */
  readonly after: (delayMs: number, run: () => void) => () => void;
  /** At least 0 and less than 1. */
  readonly random: () => number;
  /** Milliseconds since 1970, for what must last longer than the process. */
  readonly wallMs: () => number;
};

export const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
  wallMs: () => Date.now(),
};
