import type { ConnectedHost } from '../../base/fleet-protocol.ts';
import type { Member } from '../trust/host.ts';

/**
 * Every connected enrolment, with its processes. Pure.
 * @param members processes with a recent sign of life
 * @param complaint why a process is not healthy, null if it is
 */
export function connectedHosts(
  members: readonly Member[],
  complaint: (member: Member) => string | null,
): ConnectedHost[] {
  const hosts = new Map<string, Member[]>();
  for (const member of members) hosts.set(member.host, [...(hosts.get(member.host) ?? []), member]);
  return [...hosts].map(([id, processes]) => {
    const complaints = processes.map(complaint);
    const why = complaints.includes(null) ? null : (complaints[0] ?? null);
    return {
      id,
      instances: processes.length,
      draining: processes.every((process) => process.draining),
      healthy: why === null,
      why,
      jobs: processes.reduce((sum, { jobs }) => sum + jobs, 0),
      processes: processes
        .toSorted((a, b) => b.startedAt - a.startedAt)
        .map((process) => ({
          version: process.version,
          egress: process.egress,
          startedAtMs: process.startedAt,
          heardAtMs: process.heardAt,
          draining: process.draining,
          healthy: complaint(process) === null,
          jobs: process.jobs,
          reachedAtMs: process.reachedAtMs === -Infinity ? null : process.reachedAtMs,
          cooling: process.cooling,
          refusals: process.refusals,
          egressTroubles: process.egressTroubles,
        })),
    };
  });
}
