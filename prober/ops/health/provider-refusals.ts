import type { Evidence } from '../../../schema/evidence.ts';
import { type ProviderRefusal, REFUSALS_MAX } from '../../../schema/link.ts';
import { isTurnedAway, wasGreeted } from '../../../schema/outcomes.ts';
import { providerNameOf } from '../../../schema/providers.ts';
import type { Log } from '../../base/log.ts';
import type { Seat } from '../../engine/ports/observer.ts';

// Whether a large provider refuses an address of this host: it is burned there. A second opinion by another host hides
// that from customers, so nothing but this would show it to an operator without metrics.

const WINDOW_MS = 600_000;
/** Domains judged in the window before anything is said, and kept at most. */
const SAMPLES_MIN = 50;
const SAMPLES_MAX = 500;
/** More than this share of refusals is said. */
const REFUSED_SHARE = 0.2;

/** What a provider made of one of our addresses lately. */
type Pair = {
  readonly provider: string;
  readonly egress: number;
  samples: readonly { readonly atMs: number; readonly refused: boolean }[];
  /** Until when the limits leave the provider alone, because it said that it blocks us: too few are asked then to judge by. */
  blockedUntilMs: number;
  saidAtMs: number;
};

/** What providers of the list made of each address of this host lately: one sample for each domain of a job. */
export class ProviderRefusals {
  readonly #egress: readonly string[];
  readonly #now: () => number;
  readonly #log: Log;
  readonly #onRefused: () => void;
  /** By provider and address: the rows of a list, times the operator's addresses. */
  readonly #pairs = new Map<string, Pair>();

  /**
   * @param egress the addresses of this host, 'default' if the system chooses
   * @param onRefused called when a provider begins to refuse an address
   */
  constructor(egress: readonly string[], now: () => number, log: Log, onRefused: () => void) {
    this.#egress = egress;
    this.#now = now;
    this.#log = log;
    this.#onRefused = onRefused;
  }

  /** Who refuses which address. */
  list(): readonly ProviderRefusal[] {
    const now = this.#now();
    return [...this.#pairs.values()]
      .map((pair) => ({ pair, count: countOf(pair, now) }))
      .filter(({ pair, count }) => pair.blockedUntilMs > now || isTooMany(count))
      .map(({ pair: { provider, egress }, count }) => ({ provider, egress, ...count }))
      .slice(0, REFUSALS_MAX);
  }

  /** Takes in what was seen of one domain from an address. */
  record({ mx, outcome }: Pick<Evidence, 'mx' | 'outcome'>, from: string | null): void {
    const provider = providerName(mx);
    const refused = outcome.kind === 'no_banner' ? outcome.refused : isTurnedAway(outcome);
    if (provider === null || !(refused || wasGreeted(outcome))) return;
    const now = this.#now();
    const pair = this.#pair(provider, Math.max(0, this.#egress.indexOf(from ?? 'default')));
    const fresh = pair.samples.filter(({ atMs }) => now - atMs < WINDOW_MS);
    pair.samples = [...fresh, { atMs: now, refused }].slice(-SAMPLES_MAX);
    if (isTooMany(countOf(pair, now))) this.#say(pair, now);
  }

  /** Several servers of a provider said to an address of this host that they block it: all of the provider is left alone. */
  blocked({ provider, egress }: Seat, lastsMs: number): void {
    if (provider === null) return;
    const now = this.#now();
    const pair = this.#pair(provider.replaceAll('.', '-'), egress);
    pair.blockedUntilMs = now + lastsMs;
    this.#say(pair, now);
  }

  /** Once in ten minutes. */
  #say(pair: Pair, now: number): void {
    if (now - pair.saidAtMs < WINDOW_MS) return;
    pair.saidAtMs = now;
    const { provider, egress } = pair;
    this.#log('provider_refuses', { provider, egress, ...countOf(pair, now) });
    this.#onRefused();
  }

  #pair(provider: string, egress: number): Pair {
    const key = `${provider} ${egress}`;
    const known = this.#pairs.get(key);
    const pair = known ?? { provider, egress, samples: [], blockedUntilMs: 0, saidAtMs: Number.NEGATIVE_INFINITY };
    this.#pairs.set(key, pair);
    return pair;
  }
}

type Count = Pick<ProviderRefusal, 'refused' | 'of'>;

function countOf({ samples }: Pair, now: number): Count {
  const fresh = samples.filter(({ atMs }) => now - atMs < WINDOW_MS);
  return { refused: fresh.filter(({ refused }) => refused).length, of: fresh.length };
}

const isTooMany = ({ refused, of }: Count): boolean => of >= SAMPLES_MIN && refused > REFUSED_SHARE * of;

/** What the listed provider of these MX hosts is called in logs and metrics, never as a domain; null: none is listed. */
export function providerName(mx: readonly string[]): string | null {
  return providerNameOf(mx[0] ?? '');
}
