import type { Evidence } from '../../schema/evidence.ts';

/** What an observer of this host is told about its jobs. It returns nothing. */
export type HostObserver = {
  evidence(evidence: Pick<Evidence, 'mx' | 'outcome'>): void;
  jobEnded(how: 'ended' | 'cancelled' | 'overdue' | 'failed'): void;
};
