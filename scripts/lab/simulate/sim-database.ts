import { readdirSync, readFileSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { Seeded } from '../seeded.ts';
import type { SimTime } from './sim-time.ts';

const MIGRATIONS = new URL('../../../schema/migrations/', import.meta.url);
/** Made once: a run begins with a copy. */
const migrated = migrate();

function migrate(): Uint8Array {
  const database = new DatabaseSync(':memory:');
  for (const name of readdirSync(MIGRATIONS).toSorted())
    if (name.endsWith('.sql')) database.exec(readFileSync(new URL(name, MIGRATIONS), 'utf8'));
  const image = database.serialize();
  database.close();
  return image;
}

/** Of all calls this share breaks off, half of them once they have been carried out. */
const BREAKS_OFF = 0.03;

type Row = Readonly<Record<string, unknown>>;
type Result = { readonly results: readonly Row[] };

class Statement {
  readonly #database: SimDatabase;
  readonly sql: string;
  readonly values: readonly SQLInputValue[];

  constructor(database: SimDatabase, sql: string, values: readonly SQLInputValue[] = []) {
    this.#database = database;
    this.sql = sql;
    this.values = values;
  }

  bind(...values: readonly SQLInputValue[]): Statement {
    return new Statement(this.#database, this.sql, values);
  }

  async all(): Promise<Result> {
    const [result] = await this.#database.batch([this]);
    return result ?? { results: [] };
  }
}

/** As much of D1 as money needs: SQLite with the service's own tables, some milliseconds away, on the simulated clock. */
export class SimDatabase {
  readonly #time: SimTime;
  readonly #random: Seeded;
  readonly #sqlite = new DatabaseSync(':memory:');
  readonly #prepared = new Map<string, StatementSync>();

  constructor(time: SimTime, random: Seeded) {
    this.#time = time;
    this.#random = random;
    this.#sqlite.deserialize(migrated);
    // Everything about money is timed by the database's own clock.
    // With 'subsec' it is a fraction, else a whole number, which a JavaScript number would not be to SQLite.
    this.#sqlite.function('unixepoch', { varargs: true }, (...how) =>
      how.length > 0 ? time.wallClock() / 1000 : BigInt(Math.floor(time.wallClock() / 1000)),
    );
  }

  prepare(sql: string): Statement {
    return new Statement(this, sql);
  }

  /** One transaction, and one round trip. @throws Error as D1 does for a connection that was lost, or a rule broken */
  async batch(statements: readonly Statement[]): Promise<readonly Result[]> {
    const lot = this.#random.next();
    await this.#pass();
    if (lot < BREAKS_OFF / 2) throw new Error('D1_ERROR: Network connection lost.');
    const results = this.look(statements);
    await this.#pass();
    if (lot < BREAKS_OFF) throw new Error('D1_ERROR: Network connection lost.');
    return results;
  }

  /** The same at once: for who looks on. */
  look(statements: readonly Statement[]): readonly Result[] {
    this.#sqlite.exec('BEGIN');
    try {
      const results = statements.map(({ sql, values }) => ({ results: this.#prepare(sql).all(...values) }));
      this.#sqlite.exec('COMMIT');
      return results;
    } catch (error) {
      this.#sqlite.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#sqlite.close();
  }

  #prepare(sql: string): StatementSync {
    const prepared = this.#prepared.get(sql) ?? this.#sqlite.prepare(sql);
    this.#prepared.set(sql, prepared);
    return prepared;
  }

  #pass(): Promise<void> {
    return new Promise((resolve) => void this.#time.after(this.#random.between(1, 20), resolve));
  }
}
