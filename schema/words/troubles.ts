import { type FleetTrouble, fleetTroubles, type ListedHost } from './fleet-troubles.ts';
import { type TrafficCounts, trafficOf } from './traffic.ts';

// Everything that is wrong with a deployment, for `admin status` and the operators' page.

export type Reported = {
  /** What /health said. */
  readonly health: { readonly d1: boolean; readonly cronAgeS: number | null; readonly problems: readonly string[] };
  /** Null: they are not known. */
  readonly hosts: readonly ListedHost[] | null;
  /** Counts by the minute, the newest first; null: they were not asked for; 'unknown': their object did not answer. */
  readonly minutes: readonly TrafficCounts[] | 'unknown' | null;
};

/** A lasting problem is logged by each run of the cron, once a minute: after a whole minute without it, it is over. */
const LATELY_MINUTES = 2;
/** One or two may be due to the caller's list. */
const FAULTS_MIN = 3;
const SERVICE_DOWN = 'edge/runbooks/service-down.md';
const MUTE = {
  text: 'alarms are neither posted nor counted: the Alarms object does not answer, or has written nothing for three minutes',
  runbook: 'edge/runbooks/object-overloaded.md',
};
const NO_ROOM = { text: 'no room: add a host', runbook: 'prober/runbooks/grow.md' };

/** The worst first, each with its runbook; empty if all is well. Pure. */
export function troublesOf({ health, hosts, minutes }: Reported, nowMs: number): readonly FleetTrouble[] {
  const { d1, cronAgeS, problems } = health;
  const neverRan = d1 && cronAgeS === null && problems.length === 0;
  const { calls, faults, errors } = trafficOf(Array.isArray(minutes) ? minutes.slice(0, LATELY_MINUTES) : []);
  const isDown = problems.length > 0;
  const isFull = problems.some((text) => text.startsWith(NO_ROOM.text));
  const refused = errors.find(([event]) => event === 'fleet_full')?.[1] ?? 0;
  // `service_down` is what the problems say already.
  const others = errors.filter(([event]) => event !== 'fleet_full' && !(isDown && event === 'service_down'));
  return [
    ...problems.map((text) => (text.startsWith(NO_ROOM.text) ? { ...NO_ROOM, text } : { text, runbook: SERVICE_DOWN })),
    ...(neverRan ? [{ text: 'the cron has never completed a run', runbook: SERVICE_DOWN }] : []),
    ...(minutes === 'unknown' ? [MUTE] : []),
    ...fleetTroubles(hosts ?? [], nowMs),
    ...(refused === 0 || isFull ? [] : [lately(`${NO_ROOM.text}: ${refused} refused`, NO_ROOM.runbook)]),
    // Failed calls are no outage while they are fewer than half; but something is wrong.
    ...(isDown || faults < FAULTS_MIN
      ? []
      : [lately(`${faults} of ${calls} calls failed through a fault of ours`, 'edge/runbooks/requests-fail.md')]),
    ...others.map(([event, n]) => lately(`${event} was logged (${n})`, 'edge/runbooks/events.md')),
  ];
}

function lately(text: string, runbook: string): FleetTrouble {
  return { text: `${text} in the last two minutes`, runbook };
}
