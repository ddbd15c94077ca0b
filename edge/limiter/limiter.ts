import { DurableObject } from 'cloudflare:workers';
import type { Counted, CountedCheck, CountedKey, FormLimits, LimiterObject } from '../base/limiter-protocol.ts';
import { countCheck, DAY, HOUR_MS, isOver } from './form-windows.ts';
import { count, isOpen, WINDOW_MS, type Window } from './window.ts';

// The windows are in SQLite because an idle object loses its memory after seconds, and the limit must be exact. Memory
// holds a copy, so that a refused call touches no storage at all.

const TABLE = `
  CREATE TABLE IF NOT EXISTS windows (
    name TEXT PRIMARY KEY, started_ms INTEGER NOT NULL, used INTEGER NOT NULL) WITHOUT ROWID`;
const READ = 'SELECT name, started_ms AS startedMs, used FROM windows';
const KEEP = `
  INSERT INTO windows (name, started_ms, used) VALUES (?, ?, ?)
  ON CONFLICT (name) DO UPDATE SET started_ms = excluded.started_ms, used = excluded.used`;
const DROP = `DELETE FROM windows WHERE abs(started_ms - ?) >= ${WINDOW_MS}`;

/** The name of the account's own window among those of its keys. */
const ACCOUNT = '';

/** One per account: counts its calls, and those of each of its keys, in fixed windows. And one per form key. */
export class Limiter extends DurableObject<unknown> implements LimiterObject {
  readonly #sql: SqlStorage;
  readonly #windows = new Map<string, Window>();

  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env);
    this.#sql = ctx.storage.sql;
    this.#sql.exec(TABLE);
    for (const { name, startedMs, used } of this.#sql.exec<{ name: string; startedMs: number; used: number }>(READ))
      this.#windows.set(name, { startedMs, used });
  }

  countKey(
    window: string,
    limits: { readonly ofKey: number; readonly ofAccount: number },
    isProven: boolean,
  ): CountedKey {
    const ofKey = this.#count(window, limits.ofKey, 1);
    if (!ofKey.allowed || limits.ofAccount === 0) return { ...ofKey, ofAccount: null };
    return { ...ofKey, ofAccount: this.#count(ACCOUNT, limits.ofAccount, isProven ? 1 : 0) };
  }

  async countCheck(visitor: string | null, credits: number, limits: FormLimits): Promise<CountedCheck> {
    const { counted, keep } = countCheck(this.#windows, Date.now(), { visitor, credits }, limits);
    const isFirst = this.#windows.size === 0;
    for (const [name, window] of keep) this.#keep(name, window);
    if (isFirst) await this.ctx.storage.setAlarm(Date.now() + HOUR_MS);
    return counted;
  }

  returnCredits(day: number, credits: number): void {
    const known = this.#windows.get(DAY);
    if (known?.startedMs === day) this.#keep(DAY, { ...known, used: known.used - credits });
  }

  /**
   * Drops ended windows every hour: a form has the visitors of an hour or two, and nothing is kept about older ones.
   */
  override async alarm(): Promise<void> {
    const nowMs = Date.now();
    for (const [name, window] of this.#windows)
      if (isOver(name, window, nowMs)) {
        this.#sql.exec('DELETE FROM windows WHERE name = ?', name);
        this.#windows.delete(name);
      }
    if (this.#windows.size > 0) await this.ctx.storage.setAlarm(nowMs + HOUR_MS);
  }

  #keep(name: string, window: Window): void {
    this.#sql.exec(KEEP, name, window.startedMs, window.used);
    this.#windows.set(name, window);
  }

  /** Refused calls write nothing. When the account's own window starts over, ended windows of its keys are dropped. */
  #count(name: string, limit: number, calls: 0 | 1): Counted {
    const nowMs = Date.now();
    const before = this.#windows.get(name) ?? null;
    const { counted, keep } = count(before, nowMs, limit, calls);
    const isNew = keep?.startedMs !== before?.startedMs;
    if (keep === null || (calls === 0 && !isNew)) return counted;
    this.#keep(name, keep);
    if (name === ACCOUNT && isNew) {
      this.#sql.exec(DROP, nowMs);
      for (const [other, window] of this.#windows) if (!isOpen(window, nowMs)) this.#windows.delete(other);
    }
    return counted;
  }
}
