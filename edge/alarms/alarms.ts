import { DurableObject } from 'cloudflare:workers';
import type { TrafficCounts } from '../../schema/words/traffic.ts';
import type { Alarmed, AlarmsObject } from '../base/alarms-protocol.ts';
import { readAlarmConfig } from '../base/config.ts';
import { log } from '../base/log.ts';
import { isPaging, type Raised } from '../base/paging.ts';
import { pause } from '../base/pause.ts';
import { type ByMinute, type CountSpan, RECENT_MINUTES, RecentCounts } from '../base/recent-counts.ts';
import { AlarmBook, isRepeated, type Kept } from './alarm.ts';
import { postAlarms } from './post-alarms.ts';

/** Events of a request that failed outside the fleet; `cause` says where. */
const FAULTS: ReadonlySet<string> = new Set(['unexpected', 'verification_failed', 'fleet_unreachable']);
const FAILED = 'failed_';
const UNWRITTEN = 'unwritten';
const KEPT = 'alarms';
/** A webhook that fails is left alone for this long. */
const RETRY_AFTER_MS = 5_000;

/** What operators see of the last hour and the last week: some 40 and 120 kB. */
const MINUTES: CountSpan = {
  key: 'minutes',
  lastsMs: 60_000,
  kept: 60,
  namesMax: 100,
  writeEveryMs: { urgent: 1_000, other: 10_000 },
};
const HOURS: CountSpan = { ...MINUTES, key: 'hours', lastsMs: 3_600_000, kept: 7 * 24 };
/** The counts of calls are stored this long after the first of them: the object may idle, and lose its memory, after the last. */
const WRITTEN_AFTER_MS = 10_000;

type Variables = Readonly<Record<string, unknown>>;

/**
 * The one object that collects everything that pages, from every isolate: it counts recent failures, and posts each
 * alarm as `AlarmBook` has it. It needs neither the database nor the fleet, which it reports on.
 */
export class Alarms extends DurableObject<Variables> implements AlarmsObject {
  readonly #webhook: string;
  readonly #minutes: RecentCounts;
  readonly #hours: RecentCounts;
  readonly #book: AlarmBook;
  #retryAtMs = 0;
  #writesSoon = false;

  constructor(ctx: DurableObjectState, env: Variables) {
    super(ctx, env);
    this.#webhook = readAlarmConfig(env).ALERT_WEBHOOK;
    this.#hours = new RecentCounts(ctx.storage.kv, HOURS);
    this.#minutes = new RecentCounts(ctx.storage.kv, MINUTES, this.#hours);
    this.#book = new AlarmBook(ctx.storage.kv.get<Kept>(KEPT));
  }

  async raise(raised: readonly Raised[]): Promise<void> {
    const now = Date.now();
    let isToWrite = false;
    for (const one of raised) {
      const { cause } = one.fields;
      if (FAULTS.has(one.event) && typeof cause === 'string') this.#minutes.add(FAILED + cause, one.times, now, true);
      if (one.event === 'heartbeat_failed') this.ctx.storage.kv.put(UNWRITTEN, now);
      this.#noteError(one.event, one.times, now);
      const isPage = isPaging(one.event);
      if (isPage || isRepeated(one.event, this.#minutes.of(now)))
        isToWrite = this.#book.note(isPage ? one : { ...one, fields: whatOf(one) }, now) || isToWrite;
    }
    const due = this.#webhook === '' || now < this.#retryAtMs ? [] : this.#book.take(now);
    if (isToWrite || due.length > 0) this.#write();
    if (due.length === 0) return;
    const why = await postAlarms(this.#webhook, due);
    if (why === null) return;
    // The next alarm raised retries, at the latest the cron's within a minute.
    this.#book.putBack(due, now);
    this.#write();
    this.#retryAtMs = Date.now() + RETRY_AFTER_MS;
    log('warn', 'alarm_not_posted', { alarms: due.length, why });
    this.#noteError('alarm_not_posted', due.length, now);
  }

  #write(): void {
    this.ctx.storage.kv.put(KEPT, this.#book.kept);
  }

  /** Counted for the overview: an error that does not recur pages no one. */
  #noteError(event: string, times: number, now: number): void {
    this.#minutes.addAll({ [`error_${event}`]: times }, now, true);
  }

  async count(counts: TrafficCounts): Promise<void> {
    const now = Date.now();
    this.#hours.addAll(counts, now, false);
    this.#minutes.addAll(counts, now, false);
    if (this.#writesSoon) return;
    this.#writesSoon = true;
    this.ctx.waitUntil(this.#writeSoon());
  }

  async #writeSoon(): Promise<void> {
    await pause(WRITTEN_AFTER_MS);
    this.#writesSoon = false;
    this.#minutes.write(Date.now());
  }

  async traffic(): Promise<{ readonly minutes: ByMinute; readonly hours: ByMinute }> {
    const now = Date.now();
    return { minutes: this.#minutes.of(now), hours: this.#hours.of(now) };
  }

  async recent(): Promise<Alarmed> {
    const now = Date.now();
    const at: unknown = this.ctx.storage.kv.get(UNWRITTEN);
    return {
      faults: this.#minutes.of(now).slice(0, RECENT_MINUTES).map(faultsAmong),
      unwrittenS: typeof at === 'number' ? Math.floor((now - at) / 1_000) : null,
    };
  }
}

function faultsAmong(counts: ByMinute[number]): ByMinute[number] {
  const faults = Object.entries(counts).filter(([name]) => name.startsWith(FAILED));
  return Object.fromEntries(faults.map(([name, times]) => [name.slice(FAILED.length), times]));
}

/** For a recurring error it does not matter which request or order it hit. */
function whatOf({ fields: { error = '', message = '' } }: Raised): Raised['fields'] {
  return { error, message };
}
