import type { Evidence } from '../../schema/evidence.ts';

/** What an observer of this host is told of its jobs and links. It returns nothing. */
export type HostObserver = {
  /** What was seen of one address. */
  evidence(evidence: Pick<Evidence, 'mx' | 'outcome'>): void;
  jobEnded(how: 'ended' | 'cancelled' | 'overdue' | 'failed'): void;
  /** A link stands. */
  linked(shard: number): void;
  /** A link is gone, or did not come about. */
  unlinked(shard: number): void;
  /** A link is ended for good: there is none to this Fleet object any more, standing or not. */
  ended(shard: number): void;
  /** How far this clock is ahead of the edge's. */
  clockAhead(seconds: number): void;
};

/** Nobody measures. */
export const UNOBSERVED: HostObserver = {
  evidence: () => undefined,
  jobEnded: () => undefined,
  linked: () => undefined,
  unlinked: () => undefined,
  ended: () => undefined,
  clockAhead: () => undefined,
};
