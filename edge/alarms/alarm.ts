import type { LogFields } from '../base/log-fields.ts';
import { alarmKey, kindOf, type Raised } from '../base/paging.ts';
import type { ByMinute } from '../base/recent-counts.ts';

const HOUR_MS = 3_600_000;
/** What was not logged for this long is over: if it returns, it is another outage. */
const OVER_AFTER_MS = 300_000;
/** Hosts, causes and orders together are far fewer except in a storm: then the first ones are reported. */
const ALARMS_MAX = 200;
/** Posts about one event in an hour. */
export const POSTS_MAX = 6;
/** An error of any kind in this many minutes of an hour is no accident. */
const REPEATED_MINUTES = 3;
/** How exactly it is known when an alarm was last logged: each time is written. */
const SEEN_EVERY_MS = 30_000;

export type Alarm = {
  /** The first log line of it. */
  readonly event: string;
  readonly fields: LogFields;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
  readonly times: number;
  /** When it was last posted; null: not yet, and it is kept until it is. */
  readonly postedAtMs: number | null;
};

/** What is to be said of an alarm. */
export type Posting = {
  readonly key: string;
  readonly alarm: Alarm;
  readonly state: 'new' | 'lasts' | 'over';
  /** The last that is said of this event before then. */
  readonly silentUntilMs: number | null;
};

/** What outlives the object. `posts`: when each event was posted in the last hour. */
export type Kept = {
  readonly alarms: ReadonlyArray<readonly [key: string, Alarm]>;
  readonly posts: ReadonlyArray<readonly [event: string, atMs: readonly number[]]>;
};

/** Whether an error that does not page by itself has to. Pure. @param minutes counts of the last hour */
export function isRepeated(event: string, minutes: ByMinute): boolean {
  return minutes.filter((counts) => Object.hasOwn(counts, `error_${event}`)).length >= REPEATED_MINUTES;
}

/**
 * The alarms by `alarmKey`, and what is to be posted of each: its beginning, at once; that it lasts, each hour; its
 * end. What does not fit into the posts of an hour waits.
 */
export class AlarmBook {
  readonly #alarms: Map<string, Alarm>;
  readonly #posts: Map<string, readonly number[]>;

  constructor({ alarms, posts }: Kept = { alarms: [], posts: [] }) {
    this.#alarms = new Map(alarms);
    this.#posts = new Map(posts);
  }

  get kept(): Kept {
    return { alarms: [...this.#alarms], posts: [...this.#posts] };
  }

  /** @returns whether it has to be written: how often it occurred is not worth it */
  note({ event, fields, times }: Raised, nowMs: number): boolean {
    const key = alarmKey(event, fields);
    const known = this.#alarms.get(key);
    if (known === undefined && this.#alarms.size >= ALARMS_MAX) return false;
    const isNew = known === undefined || (known.postedAtMs !== null && isOver(known, nowMs));
    if (isNew) {
      this.#alarms.set(key, { event, fields, firstAtMs: nowMs, lastAtMs: nowMs, times, postedAtMs: null });
      return true;
    }
    const isWritten = nowMs - known.lastAtMs >= SEEN_EVERY_MS;
    const lastAtMs = isWritten ? nowMs : known.lastAtMs;
    this.#alarms.set(key, { ...known, lastAtMs, times: known.times + times });
    return isWritten;
  }

  /** What is to be posted now, and counts as posted. */
  take(nowMs: number): readonly Posting[] {
    const due: Posting[] = [];
    for (const [event, at] of this.#posts) {
      const recent = at.filter((atMs) => nowMs - atMs < HOUR_MS);
      if (recent.length === 0) this.#posts.delete(event);
      else this.#posts.set(event, recent);
    }
    for (const [key, alarm] of this.#alarms) {
      const state = stateOf(alarm, nowMs);
      const posts = this.#posts.get(alarm.event) ?? [];
      if (state === 'done') this.#alarms.delete(key);
      if (state === 'done' || state === 'known' || posts.length >= POSTS_MAX) continue;
      const silentUntilMs = posts.length === POSTS_MAX - 1 ? (posts[0] ?? nowMs) + HOUR_MS : null;
      due.push({ key, alarm, state, silentUntilMs });
    }
    for (const event of new Set(due.map(({ alarm }) => alarm.event)))
      this.#posts.set(event, [...(this.#posts.get(event) ?? []), nowMs]);
    for (const { key, alarm, state } of due)
      if (state === 'over') this.#alarms.delete(key);
      else this.#alarms.set(key, { ...alarm, postedAtMs: nowMs });
    return due;
  }

  /** These were taken at that time, and not posted: they are due again. */
  putBack(taken: readonly Posting[], takenAtMs: number): void {
    for (const { key, alarm } of taken) {
      const now = this.#alarms.get(key);
      // Logged again since its end was taken: another outage.
      if (now === undefined || now.firstAtMs === alarm.firstAtMs)
        this.#alarms.set(key, { ...alarm, ...now, postedAtMs: alarm.postedAtMs });
      const posts = this.#posts.get(alarm.event) ?? [];
      this.#posts.set(
        alarm.event,
        posts.filter((atMs) => atMs !== takenAtMs),
      );
    }
  }
}

function isOver({ event, lastAtMs }: Alarm, nowMs: number): boolean {
  return kindOf(event) !== 'task' && nowMs - lastAtMs >= OVER_AFTER_MS;
}

function stateOf(alarm: Alarm, nowMs: number): Posting['state'] | 'known' | 'done' {
  const { event, lastAtMs, postedAtMs } = alarm;
  if (isOver(alarm, nowMs)) return 'over';
  if (postedAtMs === null) return 'new';
  if (nowMs - postedAtMs < HOUR_MS || kindOf(event) === 'warning') return 'known';
  return lastAtMs > postedAtMs ? 'lasts' : 'done';
}
