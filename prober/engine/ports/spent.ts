/** The time of a batch so far, in milliseconds added up over its domains: they run in parallel. */
export type Spent = {
  lookUpsMs: number;
  /** Waiting for our own limits, or for a session that serves another domain. */
  waitingMs: number;
  /** At mail hosts, including that waiting. */
  visitsMs: number;
};

export const nothingSpent = (): Spent => ({ lookUpsMs: 0, waitingMs: 0, visitsMs: 0 });
