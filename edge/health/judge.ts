import type { Alarmed } from '../base/alarms-protocol.ts';
import { RECENT_MINUTES } from '../base/recent-counts.ts';
import { isFault } from '../fleet/batch/batch-outcome.ts';

// Whether the service can be relied on, from what was seen of it: pure.

export type Seen = {
  readonly d1: boolean;
  /** Seconds since the cron last completed; null: it never did, or the database does not answer. */
  readonly cronAgeS: number | null;
  /** Each Fleet object's hosts; null for one that does not answer. */
  readonly shards: ReadonlyArray<{ readonly hosts: number; readonly ready: number } | null>;
  /** How the batches of the last five minutes came out, in all Fleet objects. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Null: the Alarms object does not answer. */
  readonly alarmed: Alarmed | null;
};

export type Cause = 'd1_away' | 'd1_unwritable' | 'fleet_away' | 'no_host' | 'requests_fail' | 'cron_late';
/** `text` is for people, and names nobody. */
export type Problem = { readonly cause: Cause; readonly text: string };

/** Fewer failures than this are no outage. */
const FAILED_MIN = 3;
/** After this many seconds the cron has missed at least one run. */
const CRON_LATE_S = 180;

/** All that is wrong, the worst first; none: requests are served. */
export function judge(seen: Seen): readonly Problem[] {
  const { d1, cronAgeS, shards } = seen;
  const problems: Problem[] = [];
  const add = (is: boolean, cause: Cause, text: string): void => {
    if (is) problems.push({ cause, text });
  };
  const heard = shards.filter((shard) => shard !== null);
  add(!d1, 'd1_away', 'the database does not answer');
  add(isUnwritable(seen), 'd1_unwritable', 'the database refuses writes');
  add(
    heard.length < shards.length,
    'fleet_away',
    `${shards.length - heard.length} of ${shards.length} Fleet objects do not answer`,
  );
  add(
    heard.some(({ hosts }) => hosts === 0),
    'no_host',
    'no host is connected',
  );
  add(
    heard.some(({ hosts, ready }) => hosts > 0 && ready === 0),
    'no_host',
    'no connected host takes new batches',
  );
  const failing = whyRequestsFail(seen);
  add(failing !== null, 'requests_fail', failing ?? '');
  add(cronAgeS !== null && cronAgeS > CRON_LATE_S, 'cron_late', `the cron completed its last run ${cronAgeS} s ago`);
  return problems;
}

/** The cron writes once a minute: the last try failed, or one after it succeeded. */
function isUnwritable({ cronAgeS, alarmed }: Seen): boolean {
  const unwrittenS = alarmed?.unwrittenS ?? null;
  return unwrittenS !== null && (cronAgeS === null || unwrittenS < cronAgeS);
}

const WHY: Readonly<Record<string, string>> = {
  refused_token: "hosts refuse the edge's jobs: token",
  refused_replay: "hosts refuse the edge's jobs: replay",
  refused_draining: "hosts refuse the edge's jobs: draining",
  refused_unhealthy: "hosts refuse the edge's jobs: unhealthy",
  unanswered: "hosts do not answer the edge's jobs",
  not_signed: 'the edge cannot sign jobs',
  no_host: 'no host was there',
  database: 'the database failed',
  fleet: 'a Fleet object broke off',
  worker: 'a bug of the Worker',
};

/** What most failures of the last minutes are due to, if they are half of all requests or more; else null. */
function whyRequestsFail({ outcomes, alarmed }: Seen): string | null {
  const faults = Object.entries({ ...outcomes, ...alarmed?.faults }).filter(
    ([name]) => isFault(name) && Object.hasOwn(WHY, name),
  );
  const failed = faults.reduce((sum, [, times]) => sum + times, 0);
  const all = failed + (outcomes['served'] ?? 0);
  const [worst] = faults.toSorted(([, a], [, b]) => b - a);
  if (worst === undefined || failed < FAILED_MIN || failed * 2 < all) return null;
  return `${WHY[worst[0]]} (${failed} of ${all} verifications failed in the last ${RECENT_MINUTES} minutes)`;
}
