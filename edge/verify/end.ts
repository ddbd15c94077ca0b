import type { LogFields } from '../base/log-fields.ts';
import type { SlotIndex } from '../base/indexes.ts';
import { writeBits } from '../ledger/charged-bits.ts';
import type { Settlement } from '../ledger/settle.ts';
import type { Ended, Held } from './batch.ts';
import { logBatch, settleLater, settleNow } from './settle.ts';

// The two ends of a batch whose credits are held: it was answered, or it failed on our side. A third, a Worker that
// dies, is left to the sweep.

type Answered = NonNullable<Settlement['answered']>;

/** Settles the batch a moment later, counts it for the account's statement, and then writes its log line. */
export async function endAnswered(batch: Ended, answered: Answered, note: LogFields): Promise<void> {
  const { call, home, accountId, keyId, due, delivered } = batch;
  if (!isOpen(batch)) return logBatch(call.id, note);
  const usage = keyId === null || due.size === 0 ? {} : { usage: { ...delivered.counts, keyId } };
  const back = due.size - delivered.charged.length;
  const ended = { batchId: call.id, accountId, back, answered, ...usage, ...attemptEnd(batch, delivered.charged) };
  await settleLater(home, { ...ended, note });
}

/** Returns all credits at once, before the answer: a caller that asks for the balance next finds them there. */
export async function endFailed(batch: Held, status: number): Promise<void> {
  const { call, home, accountId } = batch;
  if (!isOpen(batch)) return;
  const answered = { status, ms: Date.now() - call.startedMs };
  await settleNow(home, { batchId: call.id, accountId, back: 'all', answered, ...attemptEnd(batch, null) });
}

/** Whether D1 has something to close. */
function isOpen({ due, idempotency }: Held): boolean {
  return due.size > 0 || idempotency !== null;
}

/** @param charged what this attempt was charged for; null: it failed */
function attemptEnd(
  { entries, idempotency, accountId, paid }: Held,
  charged: readonly SlotIndex[] | null,
): Pick<Settlement, 'attempt'> {
  if (idempotency === null) return {};
  const bits = charged === null ? null : writeBits([...paid, ...charged], entries.slots.length);
  return {
    attempt: { account: { id: accountId }, keyHash: idempotency.keyHash, charged: bits, isVoid: charged === null },
  };
}
