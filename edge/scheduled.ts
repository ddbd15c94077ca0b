import type { Env } from './env.ts';
import { findMismatches } from './ledger/audit.ts';
import { sweep } from './ledger/sweep.ts';
import { describe, log } from './log.ts';

const MINUTE_MS = 60_000;

/** Each minute: returns holds that nobody settled, and checks balances against the ledger. */
export async function scheduled(event: { readonly scheduledTime: number }, env: Env): Promise<void> {
  await guarded('sweep_failed', async () => {
    const holds = await sweep(env.DB);
    if (holds > 0) log('warn', 'holds_swept', { holds });
  });
  await guarded('audit_failed', async () => {
    for (const mismatch of await findMismatches(env.DB, Math.floor(event.scheduledTime / MINUTE_MS)))
      log('error', 'balance_mismatch', mismatch);
  });
}

/** One duty that fails does not keep the next from being done. */
async function guarded(event: string, duty: () => Promise<void>): Promise<void> {
  try {
    await duty();
  } catch (error) {
    log('error', event, describe(error));
  }
}
