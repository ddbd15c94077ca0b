import type { HostEntry } from '../../../schema/admin.ts';
import { numbers, Table } from '../parts/table.tsx';
import { atMoment, count, share } from '../words/numbers.ts';
import { refusalsOf } from './refusals.ts';

/** Every host, and what the fleet sees of it. */
export function Hosts({ hosts }: { readonly hosts: readonly HostEntry[] }) {
  return (
    <section class="card" aria-labelledby="hosts-title">
      <h2 id="hosts-title">Hosts</h2>
      {hosts.length === 0 ? (
        <p class="soft">No host is enrolled.</p>
      ) : (
        <>
          <HostRows hosts={hosts} />
          <Refusals hosts={hosts} />
        </>
      )}
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
  return [...new Set(processes.map(({ version }) => version ?? 'unknown'))].join(', ') || '–';
}

/** Which large providers refuse which host: an address of ours may be burned there. */
function Refusals({ hosts }: { readonly hosts: readonly HostEntry[] }) {
  const rows = refusalsOf(hosts);
  return (
    <>
      <h3 id="refusals-title">Refusals by provider</h3>
      {rows.length === 0 ? (
        <p class="soft">No large provider has refused a connected host lately.</p>
      ) : (
        <Table
          named={{ by: 'refusals-title' }}
          columns={['Provider', 'Host', numbers('Refused'), numbers('Of'), numbers('Share')]}
        >
          {rows.map(({ provider, host, refused, of }) => (
            <tr key={`${provider} ${host}`}>
              <th scope="row">{provider}</th>
              <td class="date">{host}</td>
              <td class="number">{count(refused)}</td>
              <td class="number">{count(of)}</td>
              <td class="number">{share(refused, of)}</td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}

function healthOf({ instances, healthy, why }: HostEntry): string {
  if (instances === null) return 'The fleet cannot be asked';
  if (instances === 0) return 'Not connected';
  return healthy === true ? 'Healthy' : (why ?? 'Not healthy');
}
