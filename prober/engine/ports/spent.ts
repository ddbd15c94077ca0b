/** What a batch has taken so far, in milliseconds added up over its domains: they go on side by side. */
export type Spent = {
  lookUpsMs: number;
  /** Waiting for our own limits. */
  waitingMs: number;
  /** At mail hosts, waiting for our limits included. */
  visitsMs: number;
};

export const nothingSpent = (): Spent => ({ lookUpsMs: 0, waitingMs: 0, visitsMs: 0 });
