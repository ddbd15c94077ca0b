import type { Clock } from '../../engine/ports/ports.ts';
import type { Egress } from '../../engine/ports/settings.ts';
import { BLOCK_LISTS, checkBlockLists } from '../audit/block-lists.ts';
import type { Names } from '../../node/resolve.ts';
import { checkReverseName } from '../audit/reverse-name.ts';
import type { Metrics } from './metrics.ts';

const EVERY_MS = 3_600_000;
const WITHIN_MS = 30_000;

/** Checks each hour how the world sees our declared addresses. */
export async function watchOwnAddresses(
  metrics: Metrics,
  egress: readonly Egress[],
  names: Names,
  clock: Clock,
): Promise<void> {
  await Promise.all(egress.map((one, place) => look(metrics, one, String(place), names)));
  clock.after(EVERY_MS, () => void watchOwnAddresses(metrics, egress, names, clock));
}

async function look(
  { listed, blind, rdns }: Metrics,
  { ip, heloName }: Egress,
  egress: string,
  names: Names,
): Promise<void> {
  if (ip === null) return;
  const signal = AbortSignal.timeout(WITHIN_MS);
  const findings = await checkBlockLists(names, ip, signal);
  for (const [at, { zone: list }] of BLOCK_LISTS.entries()) {
    const state = findings[at]?.state ?? 'unknown';
    blind.set({ egress, list }, Number(state === 'unknown'));
    // The previous value is the best guess.
    if (state !== 'unknown') listed.set({ egress, list }, Number(state === 'mend'));
  }
  const named = await checkReverseName(names, ip, heloName, signal);
  if (named.some(({ state }) => state === 'unknown')) return;
  rdns.set({ egress }, Number(named.every(({ state }) => state === 'ok')));
}
