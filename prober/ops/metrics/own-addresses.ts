import type { Clock } from '../../engine/ports/ports.ts';
import type { Egress } from '../../engine/ports/settings.ts';
import { BLOCK_LISTS, checkBlockLists } from '../audit/block-lists.ts';
import type { Names } from '../audit/names.ts';
import { checkReverseName } from '../audit/reverse-name.ts';
import type { Meters } from './meters.ts';

const EVERY_MS = 3_600_000;
const WITHIN_MS = 30_000;

/** What the world makes of our own addresses, each by its place in EGRESS: those that are declared, each hour. */
export type OwnAddresses = { watch(egress: readonly Egress[], names: Names, clock: Clock): Promise<void> };

export function ownAddresses(meters: Meters): OwnAddresses {
  const listed = meters.gauge('dnsbl_listed', 'An address of ours is on a block list.', 'egress', 'list');
  const blind = meters.gauge('dnsbl_blind', 'A block list does not answer our resolver.', 'egress', 'list');
  const rdns = meters.gauge(
    'rdns_ok',
    'The name of an address of ours leads back to it, and is its EHLO name.',
    'egress',
  );

  async function look({ ip, heloName }: Egress, place: number, names: Names): Promise<void> {
    if (ip === null) return;
    const signal = AbortSignal.timeout(WITHIN_MS);
    const egress = String(place);
    const findings = await checkBlockLists(names, ip, signal);
    for (const [at, { zone: list }] of BLOCK_LISTS.entries()) {
      const state = findings[at]?.state ?? 'unknown';
      blind.set({ egress, list }, Number(state === 'unknown'));
      // What was known before still holds as far as anybody knows.
      if (state !== 'unknown') listed.set({ egress, list }, Number(state === 'mend'));
    }
    const named = await checkReverseName(names, ip, heloName, signal);
    if (named.some(({ state }) => state === 'unknown')) return;
    rdns.set({ egress }, Number(named.every(({ state }) => state === 'ok')));
  }

  return {
    async watch(egress, names, clock) {
      await Promise.all(egress.map((one, place) => look(one, place, names)));
      clock.after(EVERY_MS, () => void this.watch(egress, names, clock));
    },
  };
}
