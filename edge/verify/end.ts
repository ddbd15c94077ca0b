import type { Bearer } from '../access/known-keys.ts';
import type { Call } from '../base/call.ts';
import type { SlotIndex } from '../base/indexes.ts';
import { stepOf, type TrafficCounts } from '../../schema/words/traffic.ts';
import { countTraffic } from '../base/traffic.ts';
import { writeBits } from '../ledger/charged-bits.ts';
import type { Settlement } from '../ledger/settle.ts';
import { writePoint } from './analytics.ts';
import type { FleetFigures } from './dispatch.ts';
import type { Payer } from './hold.ts';
import type { Asked } from './idempotency.ts';
import type { Delivered } from './respond.ts';
import { logBatch, settleLater, settleNow } from './settle.ts';

// The two ends of a batch that has begun: it was answered, or it failed on our side. A third, a Worker that dies, is
// left to the sweep.

/** A batch that has begun. `due`: the elements that a credit each is held for. */
export type Begun = { readonly asked: Asked; readonly payer: Payer; readonly due: ReadonlySet<SlotIndex> };

/** Writes the batch's line and point, and settles it a moment later. */
export async function endDelivered(
  call: Call,
  bearer: Bearer,
  begun: Begun,
  delivered: Delivered,
  fleet: FleetFigures,
): Promise<void> {
  const { asked, payer, due } = begun;
  const { home, accountId, keyId, tripMs } = payer;
  const charged = delivered.charged.length;
  const note = {
    accountId,
    entries: asked.entries.slots.length,
    addresses: asked.entries.addresses.length,
    held: due.size,
    charged,
    callerGone: call.request.signal.aborted,
    holdMs: tripMs,
    fleetMs: fleet.ms,
    elapsedMs: Date.now() - call.startedMs,
    hosts: [...fleet.hosts].join(' '),
    jobs: fleet.jobs,
    outcomes: countsIn(delivered.counts, delivered.reasons),
  };
  const { addresses, elapsedMs } = note;
  const { counts, reasons } = delivered;
  if (bearer.kind !== 'test') {
    writePoint(call.env.ANALYTICS, { accountId, charged, addresses, elapsedMs, reasons });
    countTraffic(call, {
      calls: 1,
      addresses,
      [stepOf(elapsedMs)]: 1,
      ...named('status', counts),
      ...named('reason', reasons),
    });
  }
  if (isOpen(begun)) {
    const ended = { batchId: call.id, back: due.size - charged, ...attemptEnd(begun, delivered.charged) };
    const usage = keyId === null || due.size === 0 ? {} : { usage: { ...counts, keyId } };
    await settleLater(home, { ...ended, ...usage, accountId, note });
  } else logBatch(call.id, note);
}

/** `valid 3, no_mx 1`. */
function countsIn(...counts: readonly TrafficCounts[]): string {
  const some = counts.flatMap((each) => Object.entries(each).filter(([, n]) => n > 0));
  return some.map(([name, n]) => `${name} ${n}`).join(', ');
}

function named(prefix: string, counts: TrafficCounts): TrafficCounts {
  return Object.fromEntries(
    Object.entries(counts).flatMap(([name, n]) => (n === 0 ? [] : [[`${prefix}_${name}`, n] as const])),
  );
}

/** Returns all credits at once, before the answer: a caller that asks for the balance next finds them there. */
export async function endFailed(call: Call, begun: Begun): Promise<void> {
  if (isOpen(begun)) {
    const { home, accountId } = begun.payer;
    await settleNow(home, { batchId: call.id, accountId, back: 'all', ...attemptEnd(begun, null) });
  }
}

/** Whether D1 has something to close. */
function isOpen({ asked, due }: Begun): boolean {
  return due.size > 0 || asked.idempotency !== null;
}

/** @param charged what this attempt was charged for; null: it failed */
function attemptEnd(
  { asked: { entries, idempotency }, payer }: Begun,
  charged: readonly SlotIndex[] | null,
): Pick<Settlement, 'attempt'> {
  if (idempotency === null) return {};
  const bits = charged === null ? null : writeBits([...payer.charged, ...charged], entries.slots.length);
  return {
    attempt: { accountId: payer.accountId, keyHash: idempotency.keyHash, charged: bits, isVoid: charged === null },
  };
}
