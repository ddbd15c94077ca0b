import type { AddressState, AddressStates } from './address-state.ts';
import type { BatchIndex } from '../../base/indexes.ts';

/** Domains per batch that are put to another host if the first is only proven; the rest follows their outcome. */
const CONFIRMED_MAX = 20;

/** Of each process that is merely proven, the domains of one batch on which another host's word decides. */
export class Confirmations {
  readonly #domains = new Map<string, Set<number>>();

  /** Those of what a process is in doubt about that another host is to be asked about: some stand for all. */
  choose(instance: string, addresses: AddressStates, indexes: readonly BatchIndex[]): readonly BatchIndex[] {
    const chosen = this.#domains.get(instance) ?? new Set<number>();
    this.#domains.set(instance, chosen);
    return indexes.filter((index) => {
      const { domain } = addresses.at(index);
      if (chosen.size < CONFIRMED_MAX) chosen.add(domain);
      return chosen.has(domain);
    });
  }

  /** Whether what another host says of this address decides how far that process is believed. */
  decides(instance: string, { domain, doubters }: AddressState): boolean {
    return this.#domains.get(instance)?.has(domain) === true && doubters.some((d) => d.instance === instance);
  }
}
