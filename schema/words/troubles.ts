import { type FleetTrouble, fleetTroubles, type ListedHost } from './fleet-troubles.ts';
import { loggedLately, type TrafficCounts } from './traffic.ts';

// All that is wrong with a deployment, as `admin status` and the operators' page say it.

export type Reported = {
  /** What /health said. */
  readonly health: { readonly d1: boolean; readonly cronAgeS: number | null; readonly problems: readonly string[] };
  /** Null: they are not known. */
  readonly hosts: readonly ListedHost[] | null;
  /** Counts by the minute, the newest first; null: they were not asked for; 'unknown': their object did not answer. */
  readonly minutes: readonly TrafficCounts[] | 'unknown' | null;
};

/** The worst first, each with where to read what to do; none: all is well. Pure. */
export function troublesOf({ health, hosts, minutes }: Reported, nowMs: number): readonly FleetTrouble[] {
  const { d1, cronAgeS, problems } = health;
  const logged = loggedLately(minutes === 'unknown' ? [] : (minutes ?? []));
  const isMute = minutes === 'unknown';
  const neverRan = d1 && cronAgeS === null && problems.length === 0;
  return [
    ...[...problems, ...(neverRan ? ['the cron has never completed a run'] : [])].map((text) => ({
      text,
      runbook: 'edge/runbooks/service-down.md',
    })),
    ...(isMute
      ? [
          {
            text: 'alarms are neither posted nor counted: the Alarms object does not answer',
            runbook: 'edge/runbooks/object-overloaded.md',
          },
        ]
      : []),
    ...fleetTroubles(hosts ?? [], nowMs),
    ...(logged === null ? [] : [{ text: logged, runbook: 'edge/runbooks/events.md' }]),
  ];
}
