import { expect, it } from 'vitest';
import { job } from '../../testing/batch-play.ts';
import { ScriptedWorld } from '../../testing/scripted-world.ts';
import { Batches } from './batches.ts';

/** Room for one batch of two addresses. */
const SLOTS = 30;

/**
 * Two batches start at each of these times, with room for one, which has ended by the next. @returns the answers to the
 * second ones
 */
async function refuseAt(...timesMs: readonly number[]): Promise<readonly string[]> {
  const world = new ScriptedWorld();
  const counts: string[] = [];
  const comparisons = { every: 0, hasDiffered: () => false, newId: () => '', compared: () => {} };
  const counted = (what: string): void => void counts.push(what);
  const batches = new Batches(world, { shards: 1, counted, ended: () => {}, comparisons });
  const sink = { write: () => {}, end: () => {}, unread: 0 };
  for (const atMs of timesMs) {
    await world.clock.advance(atMs - world.clock.now());
    for (const account of ['a', 'b'])
      batches.dispatch(job({ batchId: `${account}${atMs}`, account, accountClass: 'bought' }), sink, () => SLOTS);
  }
  expect(counts).toEqual(timesMs.flatMap(() => ['begun', 'no_room']));
  return world.logged.filter((event) => event.startsWith('fleet_'));
}

it('a batch refused because the fleet is full alerts the operator, and is counted', async () => {
  expect(await refuseAt(0, 40_000)).toEqual(['fleet_full', 'fleet_full']);
});
