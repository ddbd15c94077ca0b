import type { Clock, Resolve } from '../../engine/ports/ports.ts';
import type { Egress } from '../../engine/ports/settings.ts';
import { BLOCK_LISTS, checkBlockLists } from '../audit/block-lists.ts';
import type { Finding } from '../audit/findings.ts';
import type { OwnAddressMetrics } from './own-address-metrics.ts';

const EVERY_MS = 3_600_000;
const WITHIN_MS = 30_000;

type OwnAddresses = {
  readonly resolve: Pick<Resolve, 'addresses'>;
  /** Whether the name of an address leads back to it. */
  readonly namedBack: (egress: Egress, signal: AbortSignal) => Promise<boolean | null>;
  readonly clock: Clock;
  readonly egress: readonly Egress[];
  readonly metrics: OwnAddressMetrics;
};

/** Looks each hour whether addresses of ours are listed, and still have their names: those that are declared. */
export async function watchOwnAddresses(own: OwnAddresses): Promise<void> {
  const { clock, egress, metrics, namedBack, resolve } = own;
  const signal = AbortSignal.timeout(WITHIN_MS);
  await Promise.all(
    egress.map(async ({ ip, heloName }, place) => {
      if (ip === null) return;
      const findings = await checkBlockLists(resolve, ip, signal);
      for (const [at, { zone }] of BLOCK_LISTS.entries()) metrics.listed(place, zone, listedBy(findings[at]));
      const isNamed = await namedBack({ ip, heloName }, signal);
      if (isNamed !== null) metrics.namedBack(place, isNamed);
    }),
  );
  clock.after(EVERY_MS, () => void watchOwnAddresses(own));
}

function listedBy(finding: Finding | undefined): boolean | null {
  if (finding === undefined || finding.state === 'unknown') return null;
  return finding.state === 'mend';
}
