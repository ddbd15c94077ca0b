import { type Ask, gather, type Gathering } from '../../../edge/verify/dispatch.ts';
import { sortEntries } from '../../../edge/verify/entries.ts';
import { type AddressEvidence, isFailure } from '../../../edge/verify/judge.ts';
import { withoutOptedOut } from '../../../edge/verify/opted-out.ts';
import { billable, chargedOf } from '../../../edge/verify/price.ts';
import type { FleetJob } from '../../../edge/base/fleet-protocol.ts';
import type { Bank } from './bank.ts';
import type { Seeded } from '../seeded.ts';
import type { SimObject } from './sim-object.ts';
import type { SimTime } from './sim-time.ts';

export type Batch = {
  readonly id: string;
  readonly addresses: ReadonlyArray<readonly [local: string, domain: string]>;
  readonly begunAt: number;
  readonly deadlineAt: number;
  /** When its caller goes away; null: it stays for the answer. */
  readonly leavesAt: number | null;
  /** Its Worker ends with its answer: what was to be settled is lost. */
  readonly losesWorker: boolean;
};
export type BatchResult = {
  /** `refused`: D1 took no hold, and nothing was asked. `failed`: a 500. */
  readonly kind: 'answered' | 'failed' | 'left' | 'refused';
  readonly found: readonly AddressEvidence[];
  readonly endedAt: number;
};

/**
 * The Worker's part of a request, a few milliseconds from the object and from D1: the real hold, gathering, price and
 * settlement, put together as `edge/verify/verify.ts` does.
 */
export async function callFor(
  batch: Batch,
  time: SimTime,
  random: Seeded,
  object: SimObject,
  bank: Bank,
): Promise<BatchResult> {
  const entries = sortEntries(batch.addresses.map(([local, domain]) => `${local}@${domain}`));
  const due = new Set(billable(entries, 'probed'));
  const credits = due.size;
  const account = await bank.hold(batch.id, credits, batch.deadlineAt - batch.begunAt);
  if (account === null) return { kind: 'refused', found: [], endedAt: time.now() };
  const ask = askOf(object, time, random);
  const gathering = gatheringOf(batch, account, time);
  const probe = (addresses: FleetJob['addresses']) => gather(ask, { ...gathering, addresses });
  const found: AddressEvidence[] = [];
  for await (const news of withoutOptedOut(entries.addresses, new Set(), probe)) found.push(...news);
  const endedAt = time.now();
  const known = new Map(found.map(({ address, evidence }) => [address, evidence]));
  const kind = endedAt >= (batch.leavesAt ?? Infinity) ? 'left' : isFailure(entries, known) ? 'failed' : 'answered';
  const cost = kind === 'answered' ? chargedOf(entries.slots, known, due).length : 0;
  if (batch.losesWorker) return { kind, found, endedAt };
  if (kind === 'failed') await bank.giveAllBack(batch.id, credits);
  else void bank.settle(batch.id, account, credits - cost);
  return { kind, found, endedAt };
}

/** Asks the object, some milliseconds away. */
function askOf(object: SimObject, time: SimTime, random: Seeded): Ask {
  return async (job) => {
    await new Promise<void>((resolve) => void time.after(random.between(1, 10), resolve));
    return object.dispatch(job);
  };
}

function gatheringOf(batch: Batch, account: string, time: SimTime): Omit<Gathering, 'addresses'> {
  const leaving = new AbortController();
  if (batch.leavesAt !== null) time.after(batch.leavesAt - time.now(), () => leaving.abort());
  const deadlineMs = time.wallClock() - time.now() + batch.deadlineAt;
  return { batchId: batch.id, account, accountClass: 'bought', deadlineMs, gone: leaving.signal };
}
