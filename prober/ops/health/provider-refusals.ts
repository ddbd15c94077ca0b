import { type ProviderRefusal, REFUSALS_MAX } from '../../../schema/link.ts';
import type { Log } from '../../base/log.ts';
import type { Seat } from '../../engine/ports/observer.ts';

/** Which large providers block an address of this host: a second opinion by another host hides it from customers. */
export class ProviderRefusals {
  readonly #now: () => number;
  readonly #log: Log;
  readonly #onRefused: () => void;
  /** When each cool-down ends, by provider and address: bounded by the list and the operator's addresses. */
  readonly #blocks = new Map<string, { readonly by: ProviderRefusal; readonly untilMs: number }>();

  /** @param onRefused called when a provider starts to block an address */
  constructor(now: () => number, log: Log, onRefused: () => void) {
    this.#now = now;
    this.#log = log;
    this.#onRefused = onRefused;
  }

  /** The providers that block one of our addresses now. */
  list(): ProviderRefusal[] {
    const now = this.#now();
    const current = [...this.#blocks.values()].filter(({ untilMs }) => untilMs > now);
    return current.map(({ by }) => by).slice(0, REFUSALS_MAX);
  }

  /** Several servers of a provider said that they block one of our addresses: it has a cool-down as a whole. */
  blocked({ provider, egress }: Seat, lastsMs: number): void {
    if (provider === null) return;
    const by = { provider: provider.replaceAll('.', '-'), egress };
    const key = `${by.provider} ${egress}`;
    const now = this.#now();
    const isNew = (this.#blocks.get(key)?.untilMs ?? now) <= now;
    this.#blocks.set(key, { by, untilMs: now + lastsMs });
    if (!isNew) return;
    this.#log('provider_refuses', by);
    this.#onRefused();
  }
}
