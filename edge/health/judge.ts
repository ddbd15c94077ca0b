import { ConfigError } from '../base/config.ts';
import type { Alarmed } from '../base/alarms-protocol.ts';
import { type ByMinute, RECENT_MINUTES } from '../base/recent-counts.ts';

// Judges from what was observed whether the service is up: pure.

export type Seen = {
  /** All databases answer. */
  readonly d1: boolean;
  /** The names of those that do not, if there are several databases. */
  readonly away?: readonly string[];
  /** Seconds since the cron last completed; null: it never did, or the database does not answer. */
  readonly cronAgeS: number | null;
  /** The hosts that each Fleet object sees, and how many of them take batches; null for one that does not answer. */
  readonly shards: ReadonlyArray<{ readonly ids: readonly string[]; readonly ready: number } | null>;
  /** The outcomes of the batches of the last five minutes, for each Fleet object. */
  readonly outcomes: readonly ByMinute[];
  /** Null: the Alarms object does not answer. */
  readonly alarmed: Alarmed | null;
  /** Wrong variables that customers are served without. */
  readonly wrong: readonly string[];
};

export type Cause =
  | 'misconfigured'
  | 'd1_away'
  | 'd1_unwritable'
  | 'fleet_away'
  | 'no_host'
  | 'no_room'
  | 'requests_fail'
  | 'cron_late'
  | 'alarms_away';
/** `text` is for people, and identifies no one. */
export type Problem = { readonly cause: Cause; readonly text: string };

/** Fewer failures than this are no outage. */
const FAILED_MIN = 3;
/** With this many requests, older minutes are ignored, */
const ENOUGH = 20;
/** and also if the newest ones were all served, and this many. */
const WELL_AGAIN = 3;
/** After this many seconds the cron has missed at least one run. */
const CRON_LATE_S = 180;

/** All problems, the worst first; none: requests are served. */
export function judge(seen: Seen): readonly Problem[] {
  const { d1, cronAgeS, shards, wrong } = seen;
  const problems: Problem[] = [];
  const add = (is: boolean, cause: Cause, text: string): void => {
    if (is) problems.push({ cause, text });
  };
  const heard = shards.filter((shard) => shard !== null);
  const { away = [] } = seen;
  add(!d1 && away.length === 0, 'd1_away', 'the database does not answer');
  for (const name of away) add(true, 'd1_away', `the database ${name} does not answer`);
  add(isUnwritable(seen), 'd1_unwritable', 'the database refuses writes');
  add(
    heard.length < shards.length,
    'fleet_away',
    `${shards.length - heard.length} of ${shards.length} Fleet objects do not answer`,
  );
  add(
    heard.some(({ ids }) => ids.length === 0),
    'no_host',
    'no host is connected',
  );
  add(
    heard.some(({ ids, ready }) => ids.length > 0 && ready === 0),
    'no_host',
    'no connected host takes new batches',
  );
  const refused = whyRefused(seen);
  add(refused !== null, 'no_room', refused ?? '');
  const failing = whyRequestsFail(seen);
  add(failing !== null, 'requests_fail', failing ?? '');
  add(cronAgeS !== null && cronAgeS > CRON_LATE_S, 'cron_late', `the cron completed its last run ${cronAgeS} s ago`);
  add(seen.alarmed === null, 'alarms_away', 'the Alarms object does not answer: nobody is alerted');
  add(wrong.length > 0, 'misconfigured', `${new ConfigError(wrong).message}; customers are served`);
  return problems;
}

/** The cron writes once a minute: either the last attempt failed, or a later one succeeded. */
function isUnwritable({ cronAgeS, alarmed }: Seen): boolean {
  const unwrittenS = alarmed?.unwrittenS ?? null;
  return unwrittenS !== null && (cronAgeS === null || unwrittenS < cronAgeS);
}

/** A reason if half of the batches of this minute and the last were refused because the fleet was full; else null. */
function whyRefused({ outcomes }: Seen): string | null {
  const [none, begun] = ['no_room', 'begun'].map((name) =>
    outcomes.flatMap((one) => one.slice(0, 2)).reduce((sum, counts) => sum + (counts[name] ?? 0), 0),
  );
  if (none === undefined || begun === undefined || none < FAILED_MIN || none < begun) return null;
  return `no room: add a host (${none} of ${none + begun} lists refused in the last two minutes)`;
}

/** Outcomes that no caller can provoke; all others are ignored. */
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

/**
 * The cause of most failures, if they are half of all requests or more; else null. Judged by the newest minutes that
 * together have twenty requests, or three that were served and none that failed: an outage of a busy service is noticed
 * within a minute, and one with few requests by those of five minutes; recovery is noticed within one minute in either
 * case.
 */
function whyRequestsFail({ outcomes, alarmed }: Seen): string | null {
  const counts = new Map<string, number>();
  let [all, minutes] = [0, 0];
  while (all < ENOUGH && minutes < RECENT_MINUTES) {
    for (const [name, times] of [...outcomes, alarmed?.faults ?? []].flatMap((one) =>
      Object.entries(one[minutes] ?? {}),
    )) {
      if (name !== 'served' && !Object.hasOwn(WHY, name)) continue;
      counts.set(name, (counts.get(name) ?? 0) + times);
      all += times;
    }
    minutes += 1;
    if (counts.get('served') === all && all >= WELL_AGAIN) return null;
  }
  const failed = all - (counts.get('served') ?? 0);
  const [worst] = [...counts].filter(([name]) => name !== 'served').toSorted(([, a], [, b]) => b - a);
  if (worst === undefined || failed < FAILED_MIN || failed * 2 < all) return null;
  const since = minutes === 1 ? 'this minute' : `the last ${minutes} minutes`;
  return `${WHY[worst[0]]} (${failed} of ${all} verifications failed in ${since})`;
}
