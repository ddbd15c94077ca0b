import type { HostEntry } from '../../../schema/admin.ts';

type Process = HostEntry['processes'][number];

/** A process as the fleet sees it: well, and of the version before. */
export function processOf(differs: Partial<Process> = {}): Process {
  return {
    version: '1.0.0',
    egress: ['192.0.2.1'],
    startedAt: '2026-11-21T10:00:00.000Z',
    seenAt: '2026-11-21T11:59:58.000Z',
    draining: false,
    healthy: true,
    jobs: 2,
    reachedAt: null,
    cooling: 0,
    refusals: [],
    ...differs,
  };
}

/** A host that serves with one process. */
export function hostOf(differs: Partial<HostEntry> = {}): HostEntry {
  return {
    id: 'fra-1',
    state: 'active',
    createdAt: '2026-11-01T08:30:00.000Z',
    instances: 1,
    healthy: true,
    why: null,
    jobs: 2,
    processes: [processOf()],
    lastSeen: '2026-11-21T11:59:58.000Z',
    lastRefusal: null,
    starts: [],
    ...differs,
  };
}
