import { dropOldAudit } from './admin/audit-row.ts';
import type { Env } from './env.ts';
import { audit } from './ledger/audit.ts';
import { closeBooks } from './ledger/close-books.ts';
import { sweep } from './ledger/sweep.ts';
import { describe, log } from './log.ts';

/**
 * Each minute, a bounded share of each: returns holds that nobody settled, closes the books on what is over, checks
 * balances against the ledger, and drops what the operators' audit has kept long enough.
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
}

/** One duty that fails does not keep the next from being done. */
async function guarded(event: string, duty: () => Promise<void>): Promise<void> {
  try {
    await duty();
  } catch (error) {
    log('error', event, describe(error));
  }
}
