import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { hosts } from '../../schema/tables.ts';
import type { Call } from '../base/call.ts';
import type { RememberedHost } from '../base/fleet-protocol.ts';
import { fleetShards } from '../base/objects.ts';
import { within } from '../base/within.ts';
import type { Seen } from './judge.ts';
import { ANSWERS_WITHIN_MS } from './look.ts';

/** A roll, a reboot and a deploy are over by then. */
const LOST_AFTER_MS = 300_000;

/** What one Fleet object says of hosts: the ids of those that are connected, and what it remembers of all. */
export type FleetView = { readonly connected: readonly string[]; readonly remembered: readonly RememberedHost[] };
export type LostHost = { readonly host: string; readonly why: string };

/**
 * Hosts that are to serve and that a Fleet object misses. What does not answer is no host's fault, and told elsewhere.
 * @param shards who is connected, as it was just seen
 */
export async function lookForLostHosts(
  reach: Pick<Call, 'env' | 'config'>,
  shards: Seen['shards'],
): Promise<readonly LostHost[]> {
  const active = drizzle(reach.env.DB).select({ id: hosts.id }).from(hosts).where(eq(hosts.state, 'active'));
  const fleet = fleetShards(reach);
  const views = shards.map(async (seen, shard): Promise<readonly FleetView[]> => {
    const asked = seen === null ? undefined : fleet[shard]?.remembered();
    if (seen === null || asked === undefined) return [];
    return [{ connected: seen.ids, remembered: await within(ANSWERS_WITHIN_MS, asked) }];
  });
  const [rows, answered] = await Promise.all([
    within(ANSWERS_WITHIN_MS, active).catch(() => []),
    Promise.all(views.map((view) => view.catch(() => []))),
  ]);
  return lostHosts(
    rows.map(({ id }) => id),
    answered.flat(),
    Date.now(),
  );
}

/** Those that were connected once, and have not been for five minutes to one object at least; one that never came is no loss. Pure. */
export function lostHosts(active: readonly string[], views: readonly FleetView[], nowMs: number): readonly LostHost[] {
  return active.flatMap((host) => {
    const [missed, ...more] = views.flatMap(({ connected, remembered }) => {
      const note = remembered.find(({ id }) => id === host);
      const { seenAtMs = null, startsAtMs = [], refusal = null } = note ?? {};
      const lastMs = Math.max(seenAtMs ?? 0, ...startsAtMs);
      if (connected.includes(host) || lastMs === 0 || nowMs - lastMs < LOST_AFTER_MS) return [];
      return [refusal !== null && refusal.atMs > lastMs ? `refused: ${refusal.why}` : 'not connected'];
    });
    if (missed === undefined) return [];
    const isEverywhere = more.length + 1 === views.length;
    return [{ host, why: isEverywhere ? missed : `${missed}, to ${more.length + 1} of ${views.length} Fleet objects` }];
  });
}
