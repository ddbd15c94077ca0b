import type { Call } from '../call.ts';
import { settle } from '../ledger/settle.ts';
import { describe, log } from '../log.ts';

/** Closes the call's batch and gives `back` credits back. What cannot be settled the sweep returns whole. */
export async function settleBatch(call: Call, back: number): Promise<void> {
  try {
    if (!(await settle(call.env.DB, call.id, back))) log('warn', 'already_settled', { requestId: call.id });
  } catch (error) {
    log('error', 'settle_failed', { requestId: call.id, ...describe(error) });
  }
}
