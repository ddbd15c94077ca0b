/** Time and randomness, as a port for tests. */
export type Clock = {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Runs something later. Returns how to cancel it. */
  readonly after: (delayMs: number, run: () => void) => () => void;
  /** At least 0 and less than 1. */
  readonly random: () => number;
  /** Milliseconds since 1970, for times that outlive the process. */
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
