import type { Canary } from '../../../schema/link.ts';
import type { HostStatus } from '../../link/host-status.ts';
import type { HostObserver } from '../../link/observer.ts';
import { providerName } from '../health/provider-refusals.ts';
import { providerLabel } from './labels.ts';
import type { Meters, Reading } from './meters.ts';

const CANARIES: readonly Canary[] = ['name', 'missing', 'host', 'mailbox', 'resources'];

/** How the host is, what its jobs found, and its links. */
export function hostMetrics(meters: Meters, status: () => HostStatus): HostObserver {
  meters.asked('healthy', 'The self-check passes.', () => Number(status().healthy));
  meters.asked('draining', 'The host takes no new jobs.', () => Number(status().draining));
  meters.asked('jobs_running', 'Jobs under way.', () => status().jobs);
  meters.asked('addresses_resting', 'Dialled addresses that are left alone for now.', () => status().cooling);
  meters.askedEach('canary_ok', 'The canaries of one kind pass.', ['check'], (): readonly Reading<'check'>[] => {
    const { failing } = status();
    return CANARIES.map((check) => [{ check }, Number(!failing.includes(check))]);
  });
  const outcomes = meters.counter('outcomes_total', 'Addresses by what was seen of them.', 'provider', 'outcome');
  const jobs = meters.counter('jobs_total', 'Jobs by how they ended.', 'end');
  // A series that begins with its first failure shows no increase.
  for (const end of ['failed', 'overdue']) jobs.inc({ end }, 0);
  const linkUp = meters.gauge('link_up', 'The link to a Fleet object stands.', 'shard');
  const ahead = meters.gauge('clock_skew_seconds', "How far this clock is ahead of the edge's.");
  return {
    evidence: ({ mx, outcome }) => outcomes.inc({ provider: providerLabel(providerName(mx)), outcome: outcome.kind }),
    jobEnded: (end) => jobs.inc({ end }),
    linked: (shard) => linkUp.set({ shard: String(shard) }, 1),
    unlinked: (shard) => linkUp.set({ shard: String(shard) }, 0),
    ended: (shard) => linkUp.remove({ shard: String(shard) }),
    clockAhead: (seconds) => ahead.set(seconds),
  };
}
