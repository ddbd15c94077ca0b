import type { Evidence } from '../../schema/evidence.ts';
import { onLink } from '../../schema/testing/link-evidence.ts';
import { FleetBatch } from '../fleet/batch/fleet-batch.ts';
import type { FleetJob } from '../base/fleet-protocol.ts';
import { Lines, ScriptedWorld, type WholeLine } from './scripted-world.ts';

// One batch in a world of scripted hosts.

export const found = (i: number, evidence: Evidence): WholeLine => ({ type: 'evidence', i, evidence });
export const job = (changes: Partial<FleetJob> = {}): FleetJob => ({
  batchId: 'b',
  account: 'b',
  accountClass: 'free',
  addresses: [
    ['x', 'a.test'],
    ['y', 'b.test'],
  ],
  remainingMs: 90_000,
  ...changes,
});

export type Play = { world: ScriptedWorld; batch: FleetBatch; sink: Lines; ends: () => number };

export async function begin(
  hosts: readonly string[],
  changes: Partial<FleetJob> = {},
  world: ScriptedWorld = new ScriptedWorld(),
): Promise<Play> {
  for (const name of hosts) world.join(name);
  const sink = new Lines();
  let ended = 0;
  const batch = new FleetBatch(job(changes), sink, world, world, () => (ended += 1));
  batch.advance();
  await world.clock.settle();
  return { world, batch, sink, ends: () => ended };
}
export const ack = (play: Play, from: string, id: string): void =>
  play.batch.hear(from, { v: 1, type: 'ack', job: id });
/** A host dials in and names the jobs it runs. */
export const back = (play: Play, name: string, ...running: readonly string[]): void => {
  play.world.leave(name);
  play.batch.hostBack(play.world.join(name), running);
};
export const evidence = (play: Play, from: string, id: string, index: number, what: Evidence): void => {
  const mx = [{ n: 0, mx: what.mx, mxFound: what.mxFound }];
  play.batch.hear(from, { v: 1, type: 'evidence', job: id, mx, items: [{ index, evidence: onLink(what) }] });
};
