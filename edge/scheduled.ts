import { dropOldAudit } from './admin/audit-row.ts';
import type { Env } from './env.ts';
import { audit } from './ledger/audit.ts';
import { NOW_MS } from './ledger/clock.ts';
import { closeBooks } from './ledger/close-books.ts';
import { sweep } from './ledger/sweep.ts';
import { describe, log } from './log.ts';

/** The last duty: a turn that broke off before it has no heartbeat. */
const HEARTBEAT = `INSERT INTO heartbeat (id, at) VALUES (1, ${NOW_MS}) ON CONFLICT (id) DO UPDATE SET at = ${NOW_MS}`;

/**
 * Each minute, a bounded share of each: returns holds that nobody settled, closes the books on what is over, checks
 * balances against the ledger, drops what the operators' audit has kept long enough, and notes that it ran.
 */
export async function scheduled(_event: unknown, { DB }: Env): Promise<void> {
  await guarded('sweep_failed', async () => {
    const holds = await sweep(DB);
    if (holds > 0) log('warn', 'holds_swept', { holds });
  });
  await guarded('closing_failed', async () => void (await closeBooks(DB)));
  await guarded('audit_failed', async () => {
    for (const mismatch of await audit(DB)) log('error', 'balance_mismatch', mismatch);
  });
  await guarded('audit_drop_failed', () => dropOldAudit(DB));
  await guarded('heartbeat_failed', async () => void (await DB.prepare(HEARTBEAT).run()));
}

/** One duty that fails does not keep the next from being done. */
async function guarded(event: string, duty: () => Promise<void>): Promise<void> {
  try {
    await duty();
  } catch (error) {
    log('error', event, describe(error));
  }
}
