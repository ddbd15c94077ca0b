import type { Evidence } from '../../../schema/evidence.ts';
import { type ProviderRefusal, REFUSALS_MAX } from '../../../schema/link.ts';
import { isTurnedAway, wasGreeted } from '../../../schema/outcomes.ts';
import { providerNameOf } from '../../../schema/providers.ts';
import type { Log } from '../../base/log.ts';
import type { Seat } from '../../engine/ports/observer.ts';

// Whether a large provider refuses an address of this host: it is burned there. A second opinion by another host hides
// that from customers, so only this shows it to an operator without metrics.

/** After this long, or this many, older counts are halved. */
const WINDOW_MS = 600_000;
const JUDGED_MAX = 500;
/** Domains judged before anything is reported. */
const JUDGED_MIN = 50;
/** A larger share of refusals is reported. */
const REFUSED_SHARE = 0.2;

/** A provider's recent reactions to one of our addresses. */
type Pair = {
  readonly provider: string;
  readonly egress: number;
  refused: number;
  of: number;
  sinceMs: number;
  /**
   * Until when the provider is in cool-down because it said that it blocks us: then too few domains are asked to judge
   * by.
   */
  blockedUntilMs: number;
  saidAtMs: number;
};

/** Recent reactions of listed providers to each address of this host: one count per domain of a job. */
export class ProviderRefusals {
  readonly #egress: readonly string[];
  readonly #now: () => number;
  readonly #log: Log;
  readonly #onRefused: () => void;
  /** By provider and address: bounded by the list and the operator's addresses. */
  readonly #pairs = new Map<string, Pair>();

  /**
   * @param egress the addresses of this host, 'default' if the system chooses
   * @param onRefused called when a provider starts to refuse an address
   */
  constructor(egress: readonly string[], now: () => number, log: Log, onRefused: () => void) {
    this.#egress = egress;
    this.#now = now;
    this.#log = log;
    this.#onRefused = onRefused;
  }

  /** The providers that refuse an address. */
  list(): readonly ProviderRefusal[] {
    const now = this.#now();
    return [...this.#pairs.values()]
      .map((pair) => age(pair, now))
      .filter((pair) => pair.blockedUntilMs > now || isTooMany(pair))
      .map(({ provider, egress, refused, of }) => ({ provider, egress, refused, of }))
      .slice(0, REFUSALS_MAX);
  }

  /** Takes in the evidence about one domain from an address. */
  record({ mx, outcome }: Pick<Evidence, 'mx' | 'outcome'>, from: string | null): void {
    const provider = providerNameOf(mx[0] ?? '');
    const refused = outcome.kind === 'no_banner' ? outcome.refused : isTurnedAway(outcome);
    if (provider === null || !(refused || wasGreeted(outcome))) return;
    const pair = this.#pair(provider, Math.max(0, this.#egress.indexOf(from ?? 'default')));
    pair.of += 1;
    if (refused) pair.refused += 1;
    if (isTooMany(pair)) this.#say(pair);
    if (pair.of >= JUDGED_MAX) halve(pair);
  }

  /**
   * Several servers of a provider said that they block an address of this host: a cool-down of the provider started.
   */
  blocked({ provider, egress }: Seat, lastsMs: number): void {
    if (provider === null) return;
    const pair = this.#pair(provider.replaceAll('.', '-'), egress);
    pair.blockedUntilMs = this.#now() + lastsMs;
    this.#say(pair);
  }

  /** Once in ten minutes. */
  #say(pair: Pair): void {
    const now = this.#now();
    if (now - pair.saidAtMs < WINDOW_MS) return;
    pair.saidAtMs = now;
    const { provider, egress, refused, of } = pair;
    this.#log('provider_refuses', { provider, egress, refused, of });
    this.#onRefused();
  }

  #pair(provider: string, egress: number): Pair {
    const key = `${provider} ${egress}`;
    const now = this.#now();
    const fresh = { refused: 0, of: 0, sinceMs: now, blockedUntilMs: 0, saidAtMs: -Infinity };
    const pair = this.#pairs.get(key) ?? { provider, egress, ...fresh };
    this.#pairs.set(key, pair);
    return age(pair, now);
  }
}

function halve(pair: Pair): void {
  [pair.refused, pair.of] = [pair.refused >> 1, pair.of >> 1];
}

function age(pair: Pair, now: number): Pair {
  for (; now - pair.sinceMs >= WINDOW_MS && pair.of > 0; pair.sinceMs += WINDOW_MS) halve(pair);
  if (pair.of === 0) pair.sinceMs = now;
  return pair;
}

const isTooMany = ({ refused, of }: Pair): boolean => of >= JUDGED_MIN && refused > REFUSED_SHARE * of;
