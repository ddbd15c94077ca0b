import { type FleetTrouble, fleetTroubles, type ListedHost } from './fleet-troubles.ts';
import { loggedLately, type Share, type TrafficCounts, trafficOf } from './traffic.ts';

// Everything that is wrong with a deployment, for `admin status` and the operators' page.

export type Reported = {
  /** What /health said. */
  readonly health: { readonly d1: boolean; readonly cronAgeS: number | null; readonly problems: readonly string[] };
  /** Null: they are not known. */
  readonly hosts: readonly ListedHost[] | null;
  /** Counts by the minute, the newest first; null: they were not asked for; 'unknown': their object did not answer. */
  readonly minutes: readonly TrafficCounts[] | 'unknown' | null;
};

/** Errors that were logged and have stopped. */
type Recovery = { readonly sinceMs: number; readonly before: string };

/** A lasting problem is logged by each run of the cron, once a minute: after a whole minute without it, it is over. */
const OVER_AFTER_MINUTES = 2;
/** One or two may be due to the caller's list. */
const FAULTS_MIN = 3;
const MINUTE_MS = 60_000;
const SERVICE_DOWN = 'edge/runbooks/service-down.md';
const MUTE = {
  text: 'alarms are neither posted nor counted: the Alarms object does not answer, or has written nothing for three minutes',
  runbook: 'edge/runbooks/object-overloaded.md',
};
const NO_ROOM = { text: 'no room: add a host', runbook: 'prober/runbooks/grow.md' };
const lists = (n: number): string => `${n} ${n === 1 ? 'list' : 'lists'} refused in the last ten minutes`;

/** The worst first, each with its runbook; empty if all is well. Pure. */
export function troublesOf({ health, hosts, minutes }: Reported, nowMs: number): readonly FleetTrouble[] {
  const { d1, cronAgeS, problems } = health;
  const neverRan = d1 && cronAgeS === null && problems.length === 0;
  const logged = loggedIn(minutes);
  const errors = logged === null || logged.ago >= OVER_AFTER_MINUTES ? [] : logged.errors;
  const isDown = problems.length > 0;
  const refused = errors.find(([event]) => event === 'fleet_full')?.[1] ?? 0;
  // `service_down` is what the problems say already.
  const others = errors.filter(([event]) => event !== 'fleet_full' && !(isDown && event === 'service_down'));
  return [
    ...problems.map((text) => (text.startsWith(NO_ROOM.text) ? { ...NO_ROOM, text } : { text, runbook: SERVICE_DOWN })),
    ...(neverRan ? [{ text: 'the cron has never completed a run', runbook: SERVICE_DOWN }] : []),
    ...(minutes === 'unknown' ? [MUTE] : []),
    ...fleetTroubles(hosts ?? [], nowMs),
    ...(refused === 0 || problems.some((text) => text.startsWith(NO_ROOM.text))
      ? []
      : [{ ...NO_ROOM, text: `${NO_ROOM.text} (${lists(refused)})` }]),
    ...(isDown ? [] : faultsOf(minutes)),
    ...(others.length === 0
      ? []
      : [{ text: `logged in the last ten minutes: ${wordsOf(others)}`, runbook: 'edge/runbooks/events.md' }]),
  ];
}

/** Since when nothing is logged any more, and what was; null: nothing was, or it goes on. Pure. */
export function recoveryOf({ minutes }: Pick<Reported, 'minutes'>, nowMs: number): Recovery | null {
  const logged = loggedIn(minutes);
  if (logged === null || logged.ago < OVER_AFTER_MINUTES) return null;
  return { sinceMs: (Math.floor(nowMs / MINUTE_MS) - logged.ago + 1) * MINUTE_MS, before: wordsOf(logged.errors) };
}

/** Failed calls are no outage while they are fewer than half; but something is wrong. */
function faultsOf(minutes: Reported['minutes']): readonly FleetTrouble[] {
  const { calls, faults } = trafficOf(Array.isArray(minutes) ? minutes.slice(0, OVER_AFTER_MINUTES) : []);
  if (faults < FAULTS_MIN) return [];
  const text = `${faults} of ${calls} calls failed through a fault of ours in the last two minutes`;
  return [{ text, runbook: 'edge/runbooks/requests-fail.md' }];
}

function loggedIn(minutes: Reported['minutes']): ReturnType<typeof loggedLately> {
  return minutes === null || minutes === 'unknown' ? null : loggedLately(minutes);
}

function wordsOf(errors: readonly Share[]): string {
  return errors.map(([event, n]) => `${event} (${n})`).join(', ');
}
