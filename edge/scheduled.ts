import { dropOldAudit } from './admin/audit-row.ts';
import { readConfig } from './base/config.ts';
import { raiseAlarms } from './base/raise-alarms.ts';
import type { Env } from './base/env.ts';
import { audit } from './ledger/audit.ts';
import { NOW_MS } from './ledger/clock.ts';
import { closeBooks } from './ledger/close-books.ts';
import { dropOldUsage } from './ledger/usage.ts';
import { dropOldIdempotencyKeys } from './ledger/settle-attempt.ts';
import { sweep } from './ledger/sweep.ts';
import { describe, log } from './base/log.ts';
import { mailerOf } from './mail/mailer.ts';
import { askAboutOpenOrders } from './orders/book.ts';
import { watchOver } from './health/watch-over.ts';
import { sendNotices } from './notices/notices.ts';
import { dropOldInvitations } from './people/invitations.ts';
import { dropOldLinks } from './people/links.ts';
import { dropOldMails } from './people/mail-limits.ts';
import { dropOldChallenges } from './people/passkeys.ts';
import { dropOldSessions } from './people/sessions.ts';

/** The last duty: a turn that broke off before it has no heartbeat. */
const HEARTBEAT = `INSERT INTO heartbeat (id, at) VALUES (1, ${NOW_MS}) ON CONFLICT (id) DO UPDATE SET at = ${NOW_MS}`;

/**
 * Each minute, a bounded share of each: returns holds that nobody settled, closes the books on what is over, checks
 * balances against the ledger, asks Stripe about orders left open, mails what
 * owners are to know of their credits, drops what was kept long enough, and notes that it ran. Beside all that it looks
 * whether requests are served.
 */
export async function scheduled(_event: unknown, env: Env, ctx: Pick<ExecutionContext, 'waitUntil'>): Promise<void> {
  const { DB } = env;
  const waitUntil = (work: Promise<unknown>): void => ctx.waitUntil(work);
  const raise = (): void => raiseAlarms({ env, config: readConfig(env), waitUntil }, true);
  waitUntil(guarded('watch_failed', () => watchOver(env)).then(raise));
  await guarded('sweep_failed', async () => {
    const holds = await sweep(DB);
    if (holds > 0) log('warn', 'holds_swept', { holds });
  });
  await guarded('closing_failed', async () => void (await closeBooks(DB)));
  await guarded('audit_failed', async () => {
    for (const mismatch of await audit(DB)) log('error', 'balance_mismatch', mismatch);
  });
  await guarded('notices_failed', async () => {
    const config = readConfig(env);
    const mailer = mailerOf(env, config);
    if (mailer !== null && config.PUBLIC_URL !== '') await sendNotices(DB, mailer, config.PUBLIC_URL);
  });
  await guarded('orders_failed', () => askAboutOpenOrders(DB, readConfig(env), Date.now()));
  for (const drop of [
    dropOldAudit,
    dropOldUsage,
    dropOldIdempotencyKeys,
    dropOldLinks,
    dropOldMails,
    dropOldInvitations,
    dropOldSessions,
    dropOldChallenges,
  ])
    await guarded('drop_failed', () => drop(DB));
  await guarded('heartbeat_failed', async () => void (await DB.prepare(HEARTBEAT).run()));
  raise();
}

/** One duty that fails does not keep the next from being done. */
async function guarded(event: string, duty: () => Promise<void>): Promise<void> {
  try {
    await duty();
  } catch (error) {
    log('error', event, describe(error));
  }
}
