import type { Meters } from './meters.ts';

/** What the world makes of our own addresses, each by its place in EGRESS. */
export type OwnAddressMetrics = {
  /** Whether one is listed; null: the list does not answer, so nothing is known. */
  readonly listed: (egress: number, list: string, listed: boolean | null) => void;
  readonly namedBack: (egress: number, ok: boolean) => void;
};

export function ownAddressMetrics(meters: Meters): OwnAddressMetrics {
  const listed = meters.gauge('dnsbl_listed', 'An address of ours is on a block list.', 'egress', 'list');
  const blind = meters.gauge('dnsbl_blind', 'A block list does not answer our resolver.', 'egress', 'list');
  const rdns = meters.gauge(
    'rdns_ok',
    'The name of an address of ours leads back to it, and is its EHLO name.',
    'egress',
  );
  return {
    listed(place, list, isListed) {
      const labels = { egress: String(place), list };
      blind.set(labels, Number(isListed === null));
      // What was known before still holds as far as anybody knows.
      if (isListed !== null) listed.set(labels, Number(isListed));
    },
    namedBack: (place, ok) => rdns.set({ egress: String(place) }, Number(ok)),
  };
}
