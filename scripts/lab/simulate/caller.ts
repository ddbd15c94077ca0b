import { type Ask, gather, type Gathering } from '../../../edge/verify/dispatch.ts';
import { sortEntries } from '../../../edge/verify/entries.ts';
import { type AddressEvidence, isFailure } from '../../../edge/verify/judge.ts';
import { billable, chargedOf } from '../../../edge/verify/price.ts';
import type { Seeded } from '../../base/seeded.ts';
import type { SimObject } from './sim-object.ts';
import type { SimTime } from './sim-time.ts';

export type Batch = {
  readonly id: string;
  readonly addresses: ReadonlyArray<readonly [local: string, domain: string]>;
  readonly begunAt: number;
  readonly deadlineAt: number;
  /** When its caller goes away; null: it stays for the answer. */
  readonly leavesAt: number | null;
};
export type BatchResult = {
  /** `failed`: a 500. */
  readonly kind: 'answered' | 'failed' | 'left';
  /** What it would be charged. */
  readonly cost: number;
  readonly found: readonly AddressEvidence[];
  readonly endedAt: number;
};

/** The Worker's part of a request, a few milliseconds from the object: the real gathering and price, put together as `edge/verify/verify.ts` does. */
export async function callFor(batch: Batch, time: SimTime, random: Seeded, object: SimObject): Promise<BatchResult> {
  const entries = sortEntries(batch.addresses.map(([local, domain]) => `${local}@${domain}`));
  const due = new Set(billable(entries, 'probed'));
  const ask = askOf(object, time, random);
  const gathering = { ...gatheringOf(batch, time), addresses: entries.addresses };
  const found: AddressEvidence[] = [];
  for await (const news of gather(ask, gathering)) found.push(...news);
  const endedAt = time.now();
  const known = new Map(found.map(({ address, evidence }) => [address, evidence]));
  const kind = endedAt >= (batch.leavesAt ?? Infinity) ? 'left' : isFailure(entries, known) ? 'failed' : 'answered';
  const cost = kind === 'answered' ? chargedOf(entries.slots, known, due).length : 0;
  return { kind, cost, found, endedAt };
}

/** Asks the object, some milliseconds away. */
function askOf(object: SimObject, time: SimTime, random: Seeded): Ask {
  return async (job) => {
    await new Promise<void>((resolve) => void time.after(random.between(1, 10), resolve));
    return object.dispatch(job);
  };
}

function gatheringOf(batch: Batch, time: SimTime): Omit<Gathering, 'addresses'> {
  const leaving = new AbortController();
  if (batch.leavesAt !== null) time.after(batch.leavesAt - time.now(), () => leaving.abort());
  const deadlineMs = time.wallClock() - time.now() + batch.deadlineAt;
  return { batchId: batch.id, account: 'acme', accountClass: 'bought', deadlineMs, gone: leaving.signal };
}
