import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare';
import { type Bindings, type Database, databaseWorker, localDatabase } from './database.ts';
import { OUTBOX, outboxWorker, type OutboxMail } from './outbox.ts';
import * as z from 'zod';

// The one file that knows Miniflare: `npm start`, the edge's tests and the benches all run the Worker through it.

/**
 * Date, bindings and objects of the Worker. wrangler.toml says the same: reading it here would cost every start the
 * loading of wrangler, so `scripts/deploy/local-worker.test.ts` compares the two.
 */
export const LOCAL_WORKER = {
  compatibilityDate: '2026-11-17',
  d1Databases: { DB: { id: 'local' } },
  ratelimits: {
    SHIELD: { namespace_id: '1001', simple: { limit: 100, period: 60 } },
    SIGN_IN: { namespace_id: '1011', simple: { limit: 30, period: 60 } },
    PAGES: { namespace_id: '1021', simple: { limit: 600, period: 60 } },
  },
  durableObjects: {
    FLEET: { className: 'Fleet', useSQLite: true },
    LIMITER: { className: 'Limiter', useSQLite: true },
    ALARMS: { className: 'Alarms', useSQLite: true },
  },
} as const;
/** How the pages are served, as in wrangler.toml. */
export const LOCAL_PAGES = { binding: 'ASSETS', run_worker_first: ['/*', '!/assets/*'] };
const MIGRATIONS = fileURLToPath(new URL('../../schema/migrations/', import.meta.url));

export type LocalEdgeOptions = {
  /** The bundled Worker, from `bundleEdge`. */
  readonly script: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** Folder of the migrations, if not this repository's. */
  readonly migrations?: string;
  /** Folder for D1 and the objects; null keeps them in memory. */
  readonly state: string | null;
  /** Variables and secrets: here the Worker makes no distinction. */
  readonly vars: Readonly<Record<string, string>>;
  /** What the Worker's databases are bound to; by default as many as LEDGER_DATABASES says, one each. */
  readonly databases?: Bindings;
  readonly onLog: (level: string, message: string) => void;
  /** Folder of the built pages; without it the Worker answers every path. */
  readonly pages?: string;
  /** Receives the mail that the Worker sends; without it, no mail can be sent. */
  readonly onMail?: (mail: OutboxMail) => void;
  /** workerd died and was started again on the same port. */
  readonly onRestart?: () => void;
  /**
   * Leaves SIGINT, SIGTERM and SIGHUP to the caller, including those that a terminal sends to its whole foreground job:
   * Miniflare's own handlers end the process at once, with 130 or 143, and workerd ends itself. workerd's process id is
   * written to this file, anew after a restart.
   */
  readonly apart?: { readonly pidFile: string };
};

/** `dbs`: all databases by number; `db` is the first. */
export type LocalEdge = {
  readonly mf: Miniflare;
  readonly url: URL;
  readonly db: Database;
  readonly dbs: readonly Database[];
};

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function localDatabases(vars: LocalEdgeOptions['vars']): Bindings {
  const count = Number(vars['LEDGER_DATABASES'] ?? 1);
  const { DB } = LOCAL_WORKER.d1Databases;
  const others = Array.from({ length: count - 1 }, (_, at) => [`DB_${at + 1}`, { id: `${DB.id}-${at + 1}` }]);
  return { DB, ...Object.fromEntries(others) };
}

/**
 * Starts the Worker with its migrated D1 database and its objects on 127.0.0.1. Handles from `mf` become invalid when
 * workerd restarts: get them again for each use.
 */
export async function startLocalEdge(options: LocalEdgeOptions): Promise<LocalEdge> {
  const d1Databases = options.databases ?? localDatabases(options.vars);
  const restoreSignals = rememberSignals();
  if (options.apart !== undefined) keepWorkerdApart(options.apart.pidFile);
  const mf = new Miniflare(
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      port: options.port,
      cf: false,
      unsafeInspectDurableObjects: true,
      telemetry: { enabled: false },
      log: new QuietLog(options.onLog),
      ...(options.state === null ? {} : { resourcePersistencePath: options.state }),
      handleStructuredLogs: (line) => options.onLog(line.level, line.message),
      ...(options.onRestart === undefined ? {} : { unsafeHandleRuntimeRestart: options.onRestart }),
      workers: [
        {
          name: 'edge',
          modules: [{ type: 'ESModule', path: 'index.js', contents: options.script }],
          bindings: { ...options.vars },
          ...LOCAL_WORKER,
          d1Databases: { ...d1Databases },
          ...(options.onMail === undefined ? {} : { serviceBindings: { ...OUTBOX } }),
          ...(options.pages === undefined
            ? {}
            : { assets: { directory: options.pages, ...LOCAL_PAGES, routerConfig: { has_user_worker: true } } }),
        },
        databaseWorker(LOCAL_WORKER.compatibilityDate, d1Databases),
        ...(options.onMail === undefined ? [] : [outboxWorker(LOCAL_WORKER.compatibilityDate, options.onMail)]),
      ],
    }),
  );
  if (options.apart !== undefined) restoreSignals();
  const url = await mf.ready;
  const dbs = Object.keys(d1Databases).map((binding) => localDatabase(mf, binding));
  await Promise.all(dbs.map((one) => migrate(one, options.migrations)));
  const [db] = dbs;
  if (db === undefined) throw new Error('no database');
  return { mf, url, db, dbs };
}

/** Captures Miniflare's own errors, which it would print on standard output. */
class QuietLog extends Log {
  readonly #onLog: LocalEdgeOptions['onLog'];

  constructor(onLog: LocalEdgeOptions['onLog']) {
    super(LogLevel.ERROR);
    this.#onLog = onLog;
  }

  protected override log(message: string): void {
    this.#onLog('error', message);
  }
}

/** From now on workerd is started by the script. Miniflare takes the path of its program from there only. */
function keepWorkerdApart(pidFile: string): void {
  const miniflare = createRequire(createRequire(import.meta.url).resolve('miniflare'));
  process.env['WORKERD_PID_FILE'] = pidFile;
  process.env['WORKERD'] = z.object({ default: z.string() }).parse(miniflare('workerd')).default;
  process.env['MINIFLARE_WORKERD_PATH'] = fileURLToPath(new URL('workerd-apart.sh', import.meta.url));
}

/** @returns a function that removes every handler added since */
function rememberSignals(): () => void {
  const before = SIGNALS.map((signal) => new Set(process.listeners(signal)));
  return () => {
    for (const [at, signal] of SIGNALS.entries())
      for (const listener of process.listeners(signal))
        if (before[at]?.has(listener) !== true) process.off(signal, listener);
  };
}

/** Applies new migrations, each file in one transaction, with wrangler's own bookkeeping. */
async function migrate(db: Database, folder: string = MIGRATIONS): Promise<readonly string[]> {
  await db
    .prepare(
      'CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)',
    )
    .run();
  const { results } = await db.prepare('SELECT name FROM d1_migrations').all<{ name: string }>();
  const done = new Set(results.map((row) => row.name));
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql') && !done.has(file)).toSorted();
  for (const file of files) {
    const text = await readFile(`${folder}/${file}`, 'utf8');
    const statements = text.split('--> statement-breakpoint').filter((statement) => statement.trim() !== '');
    await db.batch([
      ...statements.map((statement) => db.prepare(statement)),
      db.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(file),
    ]);
  }
  return files;
}
