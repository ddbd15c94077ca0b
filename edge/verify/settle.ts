import { settle, type Settlement } from '../ledger/settle.ts';
import { isRefused } from '../ledger/transient.ts';
import { describe, log, type LogFields } from '../log.ts';

// D1 does one thing after the other, and every batch has something to settle. So those that an isolate has answered
// within a moment go there together. The first of them does it for all: the others' calls are over, and what is lost
// with the first a sweep returns.

/** How long batches gather. */
const TOGETHER_MS = 50;
/**
 * From an answer's hand-over to its settlement: far more than the last hop takes. The answer goes out behind whatever
 * else the runtime has to do, D1 can be faster, and a Worker that dies in between must not have charged for it.
 */
const LAST_HOP_MS = 50;
/** Of a statement's bound text D1 takes far more. */
const TOGETHER_MAX = 200;

/** An answered batch. What its log line says is written when its settlement is known. */
export type Settling = Settlement & { readonly note?: LogFields };
type Group = { readonly closesAtMs: number; readonly settling: Settling[] };

/** The group that still gathers, for each database. */
const gathering = new WeakMap<D1Database, Group>();

/** Settles an answered batch a moment later, or leaves it to a call that is about to settle others. */
export async function settleLater(db: D1Database, ended: Settling): Promise<void> {
  const now = Date.now();
  const group = gathering.get(db);
  if (group !== undefined && now < group.closesAtMs && group.settling.length < TOGETHER_MAX) {
    group.settling.push(ended);
    return;
  }
  const settling = [ended];
  gathering.set(db, { closesAtMs: now + TOGETHER_MS, settling });
  await new Promise((wake) => setTimeout(wake, TOGETHER_MS + LAST_HOP_MS));
  await settleAll(db, settling);
}

/** Closes a batch at once and gives `back` credits back. What cannot be settled the sweep returns whole. */
export function settleNow(db: D1Database, batchId: string, back: number): Promise<void> {
  return settleAll(db, [{ batchId, back }]);
}

async function settleAll(db: D1Database, settling: readonly Settling[]): Promise<void> {
  try {
    const closed = await settle(db, settling);
    for (const { batchId } of settling)
      if (!closed.has(batchId)) log('warn', 'already_settled', { requestId: batchId });
  } catch (error) {
    if (settling.length > 1 && isRefused(error)) {
      // One that breaks a rule must not keep the others from theirs.
      for (const one of settling) await settleAll(db, [one]);
      return;
    }
    for (const { batchId } of settling) log('error', 'settle_failed', { requestId: batchId, ...describe(error) });
  }
  for (const { batchId, note } of settling) if (note !== undefined) logBatch(batchId, note);
}

/** The one line of a batch. */
export function logBatch(requestId: string, note: LogFields): void {
  log('info', 'batch', { requestId, ...note });
}
