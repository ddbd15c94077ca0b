import type { HostEntry } from '../../../schema/admin.ts';
import { egressWords } from '../../../schema/words/fleet-troubles.ts';
import { since, table, when } from '../output/print.ts';

/** What `host list` prints: a line for each host, and one for each of its processes. */
export function hostLines(hosts: readonly HostEntry[], nowMs: number): readonly string[] {
  if (hosts.length === 0) return ['no hosts'];
  return table(rowsOf(hosts, nowMs));
}

function rowsOf(hosts: readonly HostEntry[], nowMs: number): readonly (readonly string[])[] {
  return [
    ['host', 'state', 'connected', 'healthy', 'jobs', 'enrolled', 'last seen', 'last refused'],
    ...hosts.flatMap((host) => [
      [
        host.id,
        host.state,
        connected(host),
        health(host),
        host.jobs === null ? '-' : String(host.jobs),
        when(host.createdAt, ''),
        host.lastSeen === null ? 'never' : `${since(host.lastSeen, nowMs)} ago`,
        host.lastRefusal === null ? '-' : `${since(host.lastRefusal.at, nowMs)} ago: ${host.lastRefusal.why}`,
      ],
      ...host.processes.map((process) => [
        `  ${process.version}`,
        process.draining ? 'draining' : 'active',
        `for ${since(process.startedAt, nowMs)}`,
        process.healthy ? 'yes' : 'no',
        String(process.jobs),
        process.egress.map((ip) => (ip === 'default' ? 'address not declared' : ip)).join(' '),
        `${since(process.seenAt, nowMs)} ago`,
        troubles(process),
      ]),
    ]),
  ];
}

const servers = (n: number): string => `${n} mail ${n === 1 ? 'server' : 'servers'}`;

function troubles({ refusals, egressTroubles = [], egress, cooling }: HostEntry['processes'][number]): string {
  const ipOf = (at: number): string => egress[at] ?? 'an unknown address';
  const named = refusals.map(({ provider, egress: at }) =>
    egress.length > 1 ? `${provider} at ${ipOf(at)}` : provider,
  );
  const known = [
    ...(named.length === 0 ? [] : [`refused by ${named.join(' and ')}`]),
    ...egressTroubles.map((trouble) => `${ipOf(trouble.egress)} ${egressWords(trouble)}`),
    ...(cooling === 0 ? [] : [`leaves ${servers(cooling)} alone`]),
  ];
  return known.length === 0 ? '-' : known.join(', ');
}

function health({ healthy, why }: HostEntry): string {
  if (healthy === null) return '-';
  if (healthy) return why === null ? 'yes' : `yes, but ${why}`;
  return `no: ${why ?? 'unknown'}`;
}

function connected({ instances }: HostEntry): string {
  if (instances === null) return 'unknown';
  return instances === 0 ? 'no' : `yes (${instances})`;
}
