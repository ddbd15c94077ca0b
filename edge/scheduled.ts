import { DROP_OLD_AUDIT } from './admin/audit-row.ts';
import { DROP_OLD_CALLS } from './call-log/ring.ts';
import { readConfig } from './base/config.ts';
import { databaseName, databasesOf, type Home } from './base/databases.ts';
import type { LogFields } from './base/log-fields.ts';
import { raiseAlarms } from './base/raise-alarms.ts';
import type { Env } from './base/env.ts';
import { audit } from './ledger/audit.ts';
import { NOW_MS } from './ledger/clock.ts';
import { closeBooks } from './ledger/close-books.ts';
import { DROP_OLD_USAGE } from './ledger/usage.ts';
import { DROP_OLD_IDEMPOTENCY_KEYS } from './ledger/settle-attempt.ts';
import { sweep } from './ledger/sweep.ts';
import { describe, log } from './base/log.ts';
import { mailerOf } from './mail/mailer.ts';
import { askAboutOpenOrders } from './orders/book.ts';
import { watchOver } from './health/watch-over.ts';
import { sendNotices } from './notices/notices.ts';
import { DROP_OLD_INVITATIONS } from './people/invitations.ts';
import { DROP_OLD_LINKS } from './people/links.ts';
import { DROP_OLD_MAILS } from './people/mail-limits.ts';
import { DROP_OLD_CHALLENGES } from './people/passkeys.ts';
import { DROP_OLD_PAGE_KEYS } from './people/keys.ts';
import { DROP_OLD_SESSIONS } from './people/sessions.ts';
import { within } from './base/within.ts';

/** A run that broke off before our own duties were done has no heartbeat. What others may delay comes after it. */
const HEARTBEAT = `INSERT INTO heartbeat (id, at) VALUES (1, ${NOW_MS}) ON CONFLICT (id) DO UPDATE SET at = ${NOW_MS}`;

/** A database that takes longer for its share of a run is left to the next one. A single one may take what it needs. */
const TURN_MS = 40_000;
/** For what needs the mail service or Stripe. What is under way then goes on, and the next run takes what is left. */
const OTHERS_MS = 30_000;

/**
 * Each minute, a bounded share of each: returns expired holds, closes the books on what is over, checks balances
 * against the ledger, drops what was kept long enough, records that it ran, asks Stripe about orders left open, and
 * mails owners about their credits. The databases are processed in parallel, and none waits for another. It also
 * checks whether requests are served.
 */
export async function scheduled(_event: unknown, env: Env, ctx: Pick<ExecutionContext, 'waitUntil'>): Promise<void> {
  const waitUntil = (work: Promise<unknown>): void => ctx.waitUntil(work);
  const raise = (): void => raiseAlarms({ env, waitUntil }, true);
  waitUntil(guarded('watch_failed', () => watchOver(env)).then(raise));
  const all = databasesOrFirst(env);
  await Promise.all(all.map((db, number) => turn({ db, all }, number)));
  await guarded('heartbeat_failed', async () => void (await env.DB.prepare(HEARTBEAT).run()));
  raise();
  const asked = guarded('orders_failed', async () =>
    within(OTHERS_MS, askAboutOpenOrders({ db: env.DB, all }, readConfig(env), Date.now())),
  );
  const mailed = all.map((db) => guarded('notices_failed', () => within(OTHERS_MS, notify(env, db))));
  await Promise.all([asked, ...mailed]);
  raise();
}

/** All databases; if the variables are wrong, at least the one that needs none. */
function databasesOrFirst(env: Env): readonly D1Database[] {
  try {
    return databasesOf({ env, config: readConfig(env) });
  } catch (error) {
    log('error', 'turn_failed', describe(error));
    return [env.DB];
  }
}

async function turn({ db, all }: Home, number: number): Promise<void> {
  const about = all.length === 1 ? {} : { database: databaseName(number) };
  const duties = async (): Promise<void> => {
    await keepBooks(db, about);
    if (number === 0) await keepDirectory(db);
  };
  await guarded('turn_failed', () => (all.length === 1 ? duties() : within(TURN_MS, duties())), about);
}

/** The duties for every database. */
export async function keepBooks(db: D1Database, about: LogFields): Promise<void> {
  const sweepHolds = async (): Promise<void> => {
    const holds = await sweep(db);
    if (holds > 0) log('warn', 'holds_swept', { ...about, holds });
  };
  await guarded('sweep_failed', sweepHolds, about);
  await guarded('closing_failed', async () => void (await closeBooks(db)), about);
  const compare = async (): Promise<void> => {
    for (const mismatch of await audit(db)) log('error', 'balance_mismatch', { ...about, ...mismatch });
  };
  await guarded('audit_failed', compare, about);
  await drop(db, [DROP_OLD_USAGE, DROP_OLD_IDEMPOTENCY_KEYS, DROP_OLD_PAGE_KEYS, ...DROP_OLD_CALLS], about);
}

async function notify(env: Env, db: D1Database): Promise<void> {
  const config = readConfig(env);
  const mailer = mailerOf(env, config);
  if (mailer !== null && config.PUBLIC_URL !== '') await sendNotices(env.DB, db, mailer, config.PUBLIC_URL);
}

/** The duties for the directory alone. */
export async function keepDirectory(db: D1Database): Promise<void> {
  await drop(db, [
    DROP_OLD_AUDIT,
    DROP_OLD_LINKS,
    DROP_OLD_MAILS,
    DROP_OLD_INVITATIONS,
    DROP_OLD_SESSIONS,
    DROP_OLD_CHALLENGES,
  ]);
}

/** Carries out statements that delete what was kept long enough. */
async function drop(db: D1Database, statements: readonly string[], about: LogFields = {}): Promise<void> {
  for (const sql of statements) await guarded('drop_failed', async () => void (await db.prepare(sql).run()), about);
}

/** A duty that fails does not stop the next one. */
async function guarded(event: string, duty: () => Promise<void>, about: LogFields = {}): Promise<void> {
  try {
    await duty();
  } catch (error) {
    log('error', event, { ...about, ...describe(error) });
  }
}
