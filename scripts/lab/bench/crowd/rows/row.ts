/** What the servers of the crowd's domains do. */
export type Behaviour = {
  /** All its domains are at one address, and B's too. */
  readonly isShared: boolean;
  /** What each RCPT for one of its mailboxes waits. */
  readonly rcptAfterMs: number;
  /** What it says then. */
  readonly says: string;
};

/** One crowd: a file of `rows/` each. */
export type Row = {
  readonly name: string;
  readonly what: string;
  readonly behaviour: Behaviour;
  /** How many accounts crowd, and what each asks at once. */
  readonly accounts: number;
  readonly requests: number;
  readonly addresses: number;
  /** Domains of one request, which no other has. */
  readonly domains: number;
  /** Connections that it must hold while B asks, or it was no crowd. */
  readonly holds: number;
  /** B's p99 beside it, in milliseconds, at most. */
  readonly p99Ms: number;
};
