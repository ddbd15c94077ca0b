import type { HostEntry, Overview } from '../../../schema/admin.ts';
import { isExpected } from '../../../schema/words/fleet-troubles.ts';
import { recoveryOf, type Reported, troublesOf } from '../../../schema/words/troubles.ts';
import { Trouble } from '../session/api.ts';
import { useEffect } from 'preact/hooks';
import { useResource } from '../session/load.ts';
import { Loaded } from '../parts/loaded.tsx';
import { Notice } from '../parts/notice.tsx';
import { callAdmin } from './call.ts';
import { atMoment } from '../words/numbers.ts';
import { Hosts } from './hosts.tsx';
import type { OperatorKey } from './key.ts';
import { Traffic } from './traffic.tsx';

/** Reloads something at an interval while the page is visible. */
function useEvery(everyMs: number, reload: () => Promise<void>): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs, reload]);
}

type HealthNow = Reported['health'] & { readonly hosts: number; readonly ready: number };

async function readHealth(): Promise<HealthNow> {
  const response = await fetch('/health', { credentials: 'omit' }).catch(() => null);
  if (response === null || (!response.ok && response.status !== 503))
    throw new Trouble('The service cannot be reached right now.');
  return response.json();
}

/** Whether all is well, and if not, what is wrong; then traffic and hosts. */
export function State({ operatorKey }: { readonly operatorKey: OperatorKey }) {
  const health = useResource(readHealth);
  const hosts = useResource(() => callAdmin<{ hosts: HostEntry[] }>(operatorKey, '/hosts'));
  const overview = useResource(() => callAdmin<Overview>(operatorKey, '/overview'));
  useEvery(10_000, health.reload);
  useEvery(10_000, hosts.reload);
  useEvery(60_000, overview.reload);
  const listed = hosts.load.value;
  const counts = overview.load.value;
  const minutes = counts.state === 'ready' ? (counts.value.minutes ?? 'unknown') : null;
  const known = listed.state === 'ready' ? listed.value.hosts : null;
  return (
    <>
      <Loaded load={health.load.value} reload={() => void health.reload()}>
        {(now) => <Banner health={now} hosts={known} minutes={minutes} />}
      </Loaded>
      <Loaded load={overview.load.value} reload={() => void overview.reload()}>
        {(read) => <Traffic overview={read} />}
      </Loaded>
      <Loaded load={listed} reload={() => void hosts.reload()}>
        {({ hosts: all }) => <Hosts hosts={all} />}
      </Loaded>
    </>
  );
}

type BannerProps = Pick<Reported, 'minutes'> & {
  readonly health: HealthNow;
  /** Null: they are not known. */
  readonly hosts: readonly HostEntry[] | null;
};

function Banner({ health, hosts, minutes }: BannerProps) {
  const troubles = troublesOf({ health, hosts, minutes }, Date.now());
  const expected = hosts?.filter(isExpected).length ?? health.hosts;
  const recovery = recoveryOf({ minutes }, Date.now());
  const served = `${health.ready} of ${expected} ${expected === 1 ? 'host is' : 'hosts are'} ready.`;
  if (troubles.length === 0)
    return (
      <Notice tone={hosts === null ? 'plain' : 'good'} title={hosts === null ? 'Requests are served' : 'All is well'}>
        <p>{served}</p>
        {recovery !== null && (
          <p>
            Nothing logged since {atMoment(new Date(recovery.sinceMs).toISOString())}; before that: {recovery.before}.
          </p>
        )}
      </Notice>
    );
  const isDown = health.problems.length > 0;
  return (
    <Notice
      tone={isDown ? 'wrong' : 'doubt'}
      title={isDown ? 'Requests are not served' : 'Requests are served, with trouble'}
    >
      <ul class="troubles">
        {troubles.map(({ text, runbook }) => (
          <li key={text}>
            {text.charAt(0).toUpperCase() + text.slice(1)}. <code>{runbook}</code>
          </li>
        ))}
      </ul>
      <p>{served}</p>
    </Notice>
  );
}
