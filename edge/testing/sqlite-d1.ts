import { readdirSync, readFileSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import * as z from 'zod';
import type { readBalance } from '../ledger/account.ts';
import { NOW_MS } from '../ledger/clock.ts';

const MIGRATIONS = new URL('../../schema/migrations/', import.meta.url);

type Row = Record<string, unknown>;
type Result = { readonly results: Row[] };

class Statement {
  readonly #sqlite: DatabaseSync;
  readonly #sql: string;
  readonly #values: readonly SQLInputValue[];

  constructor(sqlite: DatabaseSync, sql: string, values: readonly SQLInputValue[] = []) {
    this.#sqlite = sqlite;
    this.#sql = sql;
    this.#values = values;
  }

  bind(...values: readonly SQLInputValue[]): Statement {
    return new Statement(this.#sqlite, this.#sql, values);
  }

  look(): Result {
    return { results: this.#sqlite.prepare(this.#sql).all(...this.#values) };
  }

  async all(): Promise<Result> {
    return this.look();
  }

  async run(): Promise<Result> {
    return this.look();
  }

  async first(column?: string): Promise<unknown> {
    const [row] = this.look().results;
    if (row === undefined) return null;
    return column === undefined ? row : row[column];
  }
}

/** The part of D1 that statements need: each batch is one transaction. */
class SqliteD1 {
  readonly sqlite = new DatabaseSync(':memory:');

  prepare(sql: string): Statement {
    return new Statement(this.sqlite, sql);
  }

  async batch(statements: readonly Statement[]): Promise<readonly Result[]> {
    this.sqlite.exec('BEGIN');
    try {
      const results = statements.map((statement) => statement.look());
      this.sqlite.exec('COMMIT');
      return results;
    } catch (error) {
      this.sqlite.exec('ROLLBACK');
      throw error;
    }
  }
}

type Database = Parameters<typeof readBalance>[0];
const databaseSchema = z.custom<Database>((value) => value instanceof SqliteD1);

export type TestDatabase = {
  /** For the code under test. */
  readonly db: Database;
  /** A home with this as its only database. */
  readonly home: { readonly db: Database; readonly all: readonly Database[] };
  /** Advances SQL's clock, which otherwise stands still. */
  readonly pass: (ms: number) => void;
  /** Writes rows; missing columns get their defaults. */
  readonly put: (table: string, ...rows: ReadonlyArray<Readonly<Record<string, SQLInputValue>>>) => void;
  /** Rows of a statement. */
  readonly rows: (sql: string) => readonly Row[];
  /** Milliseconds since 1970 by SQL's clock. */
  readonly now: () => number;
};

/** An in-process database with the service's own tables: for tests of statements. */
export function openTestDatabase(): TestDatabase {
  const d1 = new SqliteD1();
  const { sqlite } = d1;
  for (const file of readdirSync(MIGRATIONS).toSorted())
    if (file.endsWith('.sql')) sqlite.exec(readFileSync(new URL(file, MIGRATIONS), 'utf8'));
  let nowMs = Date.UTC(2026, 10, 22, 12);
  // With 'subsec' it is a fraction, else a whole number, which a JavaScript number would not be to SQLite.
  sqlite.function('unixepoch', { varargs: true }, (...how) =>
    how.length > 0 ? nowMs / 1000 : BigInt(Math.floor(nowMs / 1000)),
  );
  const rows = (sql: string): readonly Row[] => sqlite.prepare(sql).all();
  const db = databaseSchema.parse(d1);
  return {
    db,
    home: { db, all: [db] },
    pass: (ms) => void (nowMs += ms),
    put: (table, ...given) => {
      for (const row of given) {
        const columns = Object.keys(row);
        const places = columns.map(() => '?').join(', ');
        sqlite.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places})`).run(...Object.values(row));
      }
    },
    rows,
    now: () => Number(rows(`SELECT ${NOW_MS} AS now`)[0]?.['now']),
  };
}
