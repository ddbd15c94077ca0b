import type { Miniflare } from 'miniflare';
import * as z from 'zod';

// D1 of the local Worker, for this process. Miniflare's own handle asks workerd for each `prepare` and each `bind`, and
// blocks this process meanwhile: a ten-line Worker beside the real one takes whole batches instead.

const SCRIPT = `
export default {
  async fetch(request, env) {
    const DB = env[new URL(request.url).pathname.slice(1)];
    const statements = await request.json();
    try {
      return Response.json(await DB.batch(statements.map(({ sql, values }) => DB.prepare(sql).bind(...values))));
    } catch ({ message }) {
      return new Response(message, { status: 500 });
    }
  },
};
`;

/** By the names of their bindings. */
export type Bindings = Readonly<Record<string, { readonly id: string }>>;

/** The Worker that takes the batches, as a Miniflare option. Only Miniflare's handle reaches it. */
export function databaseWorker(compatibilityDate: string, d1Databases: Bindings) {
  return {
    name: 'database',
    compatibilityDate,
    modules: [{ type: 'ESModule' as const, path: 'database.js', contents: SCRIPT }],
    d1Databases: { ...d1Databases },
  };
}

const resultsSchema = z.array(
  z.object({
    results: z.array(z.record(z.string(), z.unknown())),
    success: z.boolean(),
    meta: z.looseObject({ rows_read: z.number(), rows_written: z.number() }),
  }),
);
type Result = z.infer<typeof resultsSchema>[number];
/** The values that D1 accepts: it would refuse undefined, which JSON would turn into null. */
const valuesSchema = z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]));
type Value = z.infer<typeof valuesSchema>[number];

class Statement {
  readonly #database: LocalDatabase;
  readonly sql: string;
  readonly values: readonly Value[];

  constructor(database: LocalDatabase, sql: string, values: readonly Value[] = []) {
    this.#database = database;
    this.sql = sql;
    this.values = values;
  }

  bind(...values: readonly unknown[]): Statement {
    return new Statement(this.#database, this.sql, valuesSchema.parse(values));
  }

  async all(): Promise<Result> {
    const [result] = await this.#database.batch([this]);
    if (result === undefined) throw new Error('A statement without a result');
    return result;
  }

  run(): Promise<Result> {
    return this.all();
  }

  /** Rows as arrays, which drizzle reads. Columns of the same name are merged here. */
  async raw(): Promise<readonly (readonly unknown[])[]> {
    return (await this.all()).results.map((row) => Object.values(row));
  }

  async first(column?: string): Promise<unknown> {
    const [row] = (await this.all()).results;
    if (row === undefined) return null;
    return column === undefined ? row : row[column];
  }
}

/** The part of D1's interface used outside the Worker. Each batch is one trip. */
class LocalDatabase {
  readonly used = { read: 0, written: 0 };
  readonly #mf: Miniflare;
  readonly #binding: string;

  constructor(mf: Miniflare, binding: string) {
    this.#mf = mf;
    this.#binding = binding;
  }

  prepare(sql: string): Statement {
    return new Statement(this, sql);
  }

  async batch(statements: readonly Statement[]): Promise<readonly Result[]> {
    const worker = await this.#mf.getWorker('database');
    const body = JSON.stringify(statements.map(({ sql, values }) => ({ sql, values })));
    const answer = await worker.fetch(`http://database/${this.#binding}`, { method: 'POST', body });
    if (!answer.ok) throw new Error(await answer.text());
    const results = resultsSchema.parse(await answer.json());
    for (const { meta } of results) {
      this.used.read += meta.rows_read;
      this.used.written += meta.rows_written;
    }
    return results;
  }
}

export type Database = Awaited<ReturnType<Miniflare['getD1Database']>>;
const databaseSchema = z.custom<Database>((value) => value instanceof LocalDatabase);

/** D1 of a Worker that runs with `databaseWorker` beside it. */
export function localDatabase(mf: Miniflare, binding: string): Database {
  return databaseSchema.parse(new LocalDatabase(mf, binding));
}

/** The rows that a piece of work read and wrote through this database, as D1 counts and charges them. */
export async function rowsOf(db: Database, work: () => Promise<unknown>): Promise<LocalDatabase['used']> {
  if (!(db instanceof LocalDatabase)) throw new Error('Not a local database');
  const { read, written } = db.used;
  await work();
  return { read: db.used.read - read, written: db.used.written - written };
}
