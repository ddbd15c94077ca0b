import { useEffect } from 'preact/hooks';
import type { HostEntry } from '../../../schema/admin.ts';
import { Trouble } from '../session/api.ts';
import { useResource } from '../session/load.ts';
import { Loaded } from '../parts/loaded.tsx';
import { Notice } from '../parts/notice.tsx';
import { Receipt } from '../parts/receipt.tsx';
import { numbers, Table } from '../parts/table.tsx';
import { count, onDay, share } from '../words/numbers.ts';
import { callAdmin } from './call.ts';
import type { OperatorKey } from './key.ts';
import { differencesOf } from './differences.ts';
import { refusalsOf } from './refusals.ts';

const READ_EVERY_MS = 10_000;

type HealthNow = {
  readonly d1: boolean;
  readonly hosts: number;
  readonly ready: number;
  readonly problems: readonly string[];
};

async function readHealth(): Promise<HealthNow> {
  const response = await fetch('/health', { credentials: 'omit' }).catch(() => null);
  if (response === null || (!response.ok && response.status !== 503))
    throw new Trouble('The service cannot be reached right now.');
  return response.json();
}

/** Whether requests can be served, read again every few seconds while the page is looked at. */
export function Health() {
  const health = useResource(readHealth);
  useEvery(health.reload);
  return (
    <section class="card" aria-labelledby="health-title">
      <h2 id="health-title">Health</h2>
      <Loaded load={health.load.value} reload={() => void health.reload()}>
        {({ d1, hosts, ready, problems }) => (
          <>
            {problems.length > 0 && (
              <Notice tone="wrong" title="Requests are not served">
                {problems.map((problem) => (
                  <p key={problem}>{problem}</p>
                ))}
                <p>
                  What to do: <code>edge/runbooks/service-down.md</code>
                </p>
              </Notice>
            )}
            <Receipt
              label="Health"
              lines={[
                { label: 'Database', value: d1 ? 'answers' : 'does not answer' },
                { label: 'Hosts connected', value: count(hosts) },
                { label: 'Hosts that take work', value: count(ready) },
                { label: 'Requests', value: problems.length === 0 ? 'are served' : 'are not served', isTotal: true },
              ]}
            />
          </>
        )}
      </Loaded>
    </section>
  );
}

/** Every host, and what the fleet sees of it. */
export function Hosts({ operatorKey }: { readonly operatorKey: OperatorKey }) {
  const hosts = useResource(() => callAdmin<{ hosts: HostEntry[] }>(operatorKey, '/hosts'));
  useEvery(hosts.reload);
  return (
    <section class="card" aria-labelledby="hosts-title">
      <h2 id="hosts-title">Hosts</h2>
      <Loaded load={hosts.load.value} reload={() => void hosts.reload()}>
        {({ hosts: all }) =>
          all.length === 0 ? (
            <p class="soft">No host is enrolled.</p>
          ) : (
            <>
              <HostRows hosts={all} />
              <Differences hosts={all} />
              <Refusals hosts={all} />
            </>
          )
        }
      </Loaded>
    </section>
  );
}

function HostRows({ hosts }: { readonly hosts: readonly HostEntry[] }) {
  return (
    <Table named={{ by: 'hosts-title' }} columns={['Host', 'State', 'Health', numbers('Jobs'), 'Enrolled']}>
      {hosts.map((host) => (
        <tr key={host.id}>
          <th scope="row" class="date">
            {host.id}
          </th>
          <td>{host.state}</td>
          <td class="why">
            <span class={`dot ${host.healthy === true ? 'valid' : 'invalid'}`} /> {healthOf(host)}
          </td>
          <td class="number">{host.jobs === null ? '–' : count(host.jobs)}</td>
          <td>{onDay(host.createdAt)}</td>
        </tr>
      ))}
    </Table>
  );
}

/** Which hosts say other things than their peers: burned, misled by their resolver, or dishonest. */
function Differences({ hosts }: { readonly hosts: readonly HostEntry[] }) {
  const lines = hosts.flatMap(differencesOf);
  return lines.length === 0 ? null : (
    <Notice tone="doubt" title="A host disagrees with its peers">
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </Notice>
  );
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

function useEvery(reload: () => Promise<void>): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void reload();
    }, READ_EVERY_MS);
    return () => clearInterval(timer);
  }, [reload]);
}
