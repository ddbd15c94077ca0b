import type { HostEntry } from '../../../schema/admin.ts';
import { numbers, Table } from '../parts/table.tsx';
import { atMoment, count } from '../words/numbers.ts';

/** Every host and its state in the fleet. */
export function Hosts({ hosts }: { readonly hosts: readonly HostEntry[] }) {
  return (
    <section class="card" aria-labelledby="hosts-title">
      <h2 id="hosts-title">Hosts</h2>
      {hosts.length === 0 ? <p class="soft">No host is enrolled.</p> : <HostRows hosts={hosts} />}
    </section>
  );
}

function HostRows({ hosts }: { readonly hosts: readonly HostEntry[] }) {
  return (
    <Table
      named={{ by: 'hosts-title' }}
      columns={['Host', 'State', 'Health', 'Version', 'Last seen', numbers('Starts in an hour'), numbers('Jobs')]}
    >
      {hosts.map((host) => (
        <tr key={host.id}>
          <th scope="row" class="date">
            {host.id}
          </th>
          <td>{host.state}</td>
          <td class="why">
            <span class={`dot ${host.healthy === true ? 'valid' : 'invalid'}`} /> {healthOf(host)}
          </td>
          <td class="date">{versionsOf(host)}</td>
          <td class="date">{host.lastSeen === null ? 'never' : atMoment(host.lastSeen)}</td>
          <td class="number">{host.starts === undefined ? '–' : count(host.starts.length)}</td>
          <td class="number">{host.jobs === null ? '–' : count(host.jobs)}</td>
        </tr>
      ))}
    </Table>
  );
}

function versionsOf({ processes }: HostEntry): string {
  return [...new Set(processes.map(({ version }) => version))].join(', ') || '–';
}

function healthOf({ instances, healthy, why }: HostEntry): string {
  if (instances === null) return 'The fleet cannot be asked';
  if (instances === 0) return 'Not connected';
  return why ?? (healthy === true ? 'Healthy' : 'Not healthy');
}
