import type { LogFields } from '../base/log-fields.ts';
import { alarmKey, type Raised } from '../base/paging.ts';
import type { ByMinute } from '../base/recent-counts.ts';

const HOUR_MS = 3_600_000;
/** Hosts, causes and orders together are far fewer except in a storm: then the first ones are reported. */
const ALARMS_MAX = 200;
/** An error of any kind in this many minutes of an hour is no accident. */
const REPEATED_MINUTES = 3;

export type Alarm = {
  /** The first log line of it. */
  readonly event: string;
  readonly fields: LogFields;
  readonly firstAtMs: number;
  readonly times: number;
  /** When it was posted; null: not yet, and it is kept until it is. */
  readonly postedAtMs: number | null;
};

/** Whether an error that does not page by itself has to. Pure. @param minutes counts of the last hour */
export function isRepeated(event: string, minutes: ByMinute): boolean {
  return minutes.filter((counts) => Object.hasOwn(counts, `error_${event}`)).length >= REPEATED_MINUTES;
}

/**
 * Adds to the alarms of the last hour, by event and subject: each is posted at once, and again every hour while it
 * lasts.
 * @returns whether it is to be posted
 */
export function noteAlarm(alarms: Map<string, Alarm>, { event, fields, times }: Raised, nowMs: number): boolean {
  for (const [key, { postedAtMs }] of alarms)
    if (postedAtMs !== null && nowMs - postedAtMs >= HOUR_MS) alarms.delete(key);
  const key = alarmKey(event, fields);
  const known = alarms.get(key);
  if (known !== undefined) alarms.set(key, { ...known, times: known.times + times });
  if (known !== undefined || alarms.size >= ALARMS_MAX) return false;
  alarms.set(key, { event, fields, firstAtMs: nowMs, times, postedAtMs: null });
  return true;
}
