import { gather } from '../../edge/verify/dispatch.ts';
import type { Found } from '../../edge/verify/fleet-lines.ts';
import type { FleetJob } from '../../edge/fleet/protocol.ts';
import type { Seeded } from './seeded.ts';
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
export type Answer = { readonly found: readonly Found[]; readonly endedAt: number };

/** The Worker's part of a request: the real gathering, a few milliseconds from the object. */
export async function callFor(batch: Batch, time: SimTime, random: Seeded, object: SimObject): Promise<Answer> {
  const ask = async (job: FleetJob): Promise<ReadableStream<Uint8Array>> => {
    await new Promise<void>((resolve) => void time.after(random.between(1, 10), resolve));
    return object.dispatch(job);
  };
  const found: Found[] = [];
  const epoch = time.wallClock() - time.now();
  const leaving = new AbortController();
  if (batch.leavesAt !== null) time.after(batch.leavesAt - time.now(), () => leaving.abort());
  const gathering = {
    batchId: batch.id,
    account: `account-${batch.id.charCodeAt(0) % 3}`,
    addresses: batch.addresses,
    deadlineMs: epoch + batch.deadlineAt,
    gone: leaving.signal,
  };
  for await (const news of gather(ask, gathering)) found.push(...news);
  return { found, endedAt: time.now() };
}
