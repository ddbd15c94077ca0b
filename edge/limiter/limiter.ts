import { DurableObject } from 'cloudflare:workers';
import type { Counted, LimiterObject } from '../base/limiter-protocol.ts';
import { count, type Window } from './window.ts';

// The window lives in SQLite because an idle object loses its memory after seconds, and with it a limit that is exact.
// Memory holds a copy, so that a refused call touches no storage at all.

const TABLE = `
  CREATE TABLE IF NOT EXISTS window (id INTEGER PRIMARY KEY CHECK (id = 1), started_ms INTEGER NOT NULL, used INTEGER NOT NULL)`;
const READ = 'SELECT started_ms AS startedMs, used FROM window';
const KEEP = `
  INSERT INTO window (id, started_ms, used) VALUES (1, ?, ?)
  ON CONFLICT (id) DO UPDATE SET started_ms = excluded.started_ms, used = excluded.used`;

/** One per API key, and one per account: counts calls in a fixed window. */
export class Limiter extends DurableObject<unknown> implements LimiterObject {
  readonly #sql: SqlStorage;
  #window: Window | null;

  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env);
    this.#sql = ctx.storage.sql;
    this.#sql.exec(TABLE);
    this.#window = this.#sql.exec<{ startedMs: number; used: number }>(READ).toArray()[0] ?? null;
  }

  /** Counts calls against `limit` (1 or more). Refused ones write nothing. */
  count(limit: number, calls = 1): Counted {
    const { counted, keep } = count(this.#window, Date.now(), limit, calls);
    if (keep !== null) {
      this.#sql.exec(KEEP, keep.startedMs, keep.used);
      this.#window = keep;
    }
    return counted;
  }
}
