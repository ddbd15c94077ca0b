import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { hosts } from '../../schema/tables.ts';
import type { Call } from '../base/call.ts';
import type { ConnectedHost, FleetView } from '../base/fleet-protocol.ts';
import { within } from '../base/within.ts';
import { ANSWERS_WITHIN_MS } from './look.ts';

/** A rollout, a reboot and a deploy are over by then. */
const LOST_AFTER_MS = 300_000;

export type LostHost = { readonly host: string; readonly why: string };

/**
 * Hosts that should serve but are missing from a Fleet object. An object that does not answer is no host's fault, and
 * reported elsewhere.
 * @param views what the Fleet objects just reported; null: no answer
 */
export async function lookForLostHosts(
  { env }: Pick<Call, 'env'>,
  views: ReadonlyArray<FleetView | null>,
): Promise<readonly LostHost[]> {
  const active = drizzle(env.DB).select({ id: hosts.id }).from(hosts).where(eq(hosts.state, 'active'));
  const rows = await within(ANSWERS_WITHIN_MS, active).catch(() => []);
  const ids = rows.map(({ id }) => id);
  return lostHosts(
    ids,
    views.filter((view) => view !== null),
    Date.now(),
  );
}

/**
 * Hosts that were connected once, and have been missing from at least one object for five minutes; one that never
 * connected is not lost. Pure.
 */
export function lostHosts(
  active: readonly string[],
  views: ReadonlyArray<{ readonly hosts: ReadonlyArray<Pick<ConnectedHost, 'id'>> } & Pick<FleetView, 'remembered'>>,
  nowMs: number,
): readonly LostHost[] {
  return active.flatMap((host) => {
    const [missed, ...more] = views.flatMap(({ hosts: connected, remembered }) => {
      const note = remembered.find(({ id }) => id === host);
      const { seenAtMs = null, startsAtMs = [], refusal = null } = note ?? {};
      const lastMs = Math.max(seenAtMs ?? 0, ...startsAtMs);
      if (connected.some(({ id }) => id === host) || lastMs === 0 || nowMs - lastMs < LOST_AFTER_MS) return [];
      return [refusal !== null && refusal.atMs > lastMs ? `refused: ${refusal.why}` : 'not connected'];
    });
    if (missed === undefined) return [];
    const isEverywhere = more.length + 1 === views.length;
    return [{ host, why: isEverywhere ? missed : `${missed}, to ${more.length + 1} of ${views.length} Fleet objects` }];
  });
}
