import { DurableObject } from 'cloudflare:workers';
import type { Alarmed, AlarmsObject } from '../base/alarms-protocol.ts';
import { readConfig } from '../base/config.ts';
import { log } from '../base/log.ts';
import type { Raised } from '../base/paging.ts';
import { RecentCounts } from '../base/recent-counts.ts';
import { AlarmBook } from './alarm-book.ts';
import { postAlarms } from './post-alarms.ts';

/** Events of a request that failed outside the fleet; `cause` says at what. */
const FAULTS: ReadonlySet<string> = new Set(['unexpected', 'verification_failed', 'fleet_unreachable']);
const UNWRITTEN = 'unwritten';

type Variables = Readonly<Record<string, unknown>>;

/**
 * The one object that hears of everything that pages, from every isolate: counts what failed lately, and posts each
 * kind of alarm once an hour. It needs neither the database nor the fleet, which are what it tells of.
 */
export class Alarms extends DurableObject<Variables> implements AlarmsObject {
  readonly #webhook: string;
  readonly #counts: RecentCounts;
  readonly #book: AlarmBook;

  constructor(ctx: DurableObjectState, env: Variables) {
    super(ctx, env);
    this.#webhook = readConfig(env).ALERT_WEBHOOK;
    this.#counts = new RecentCounts(ctx.storage.kv);
    this.#book = new AlarmBook(ctx.storage.kv);
  }

  async raise(raised: readonly Raised[]): Promise<void> {
    const now = Date.now();
    for (const one of raised) {
      const { cause } = one.fields;
      if (FAULTS.has(one.event) && typeof cause === 'string') this.#counts.add(cause, one.times, now, true);
      if (one.event === 'heartbeat_failed') this.ctx.storage.kv.put(UNWRITTEN, now);
      this.#book.note(one, now);
    }
    if (this.#webhook === '') return;
    const due = this.#book.takeDue(now);
    if (due.length === 0 || (await postAlarms(this.#webhook, due))) return;
    // The next that is raised tries again, the cron's each minute at the latest.
    this.#book.giveBack(due);
    log('warn', 'alarm_not_posted', { alarms: due.length });
  }

  async recent(): Promise<Alarmed> {
    const now = Date.now();
    const at: unknown = this.ctx.storage.kv.get(UNWRITTEN);
    return {
      faults: this.#counts.of(now),
      unwrittenS: typeof at === 'number' ? Math.floor((now - at) / 1_000) : null,
    };
  }
}
