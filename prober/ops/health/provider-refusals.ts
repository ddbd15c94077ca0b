import type { Evidence, Outcome } from '../../../schema/evidence.ts';
import { type ProviderRefusal, REFUSALS_MAX } from '../../../schema/link.ts';
import { type OUTCOMES, wasGreeted } from '../../../schema/outcomes.ts';
import { isKnown, namesOf } from '../../../schema/words/open.ts';
import { providerNameOf } from '../../../schema/providers.ts';
import type { Log } from '../../base/log.ts';
import type { Seat } from '../../engine/ports/observer.ts';

// Whether a large provider refuses an address of this host: it is burned there. A second opinion by another host hides
// that from customers, so nothing but this would show it to the operator. The limits leave a server alone that says so.

const WINDOW_MS = 600_000;
/** Domains judged in the window before anything is said, and kept at most. */
const SAMPLES_MIN = 50;
const SAMPLES_MAX = 500;
/** More than this share of refusals is said; less than that takes it back. */
const REFUSED_SHARE = 0.2;
const ACCEPTED_SHARE = 0.1;

type Sample = { readonly atMs: number; readonly refused: boolean };
type Count = { readonly refused: number; readonly of: number };

/** A provider and one of our addresses. */
type Pair = {
  readonly provider: string;
  readonly egress: number;
  samples: readonly Sample[];
  /** Set from the first refusals that were too many until it accepts us again: what began it. */
  refuses: Count | null;
  /** Until when the limits leave the provider alone, because it said that it blocks us: too few are asked then to judge by. */
  blockedUntilMs: number;
};

/** What providers of the list made of each address of this host lately: one sample for each domain of a job. */
export class ProviderRefusals {
  readonly #egress: readonly string[];
  readonly #now: () => number;
  readonly #log: Log;
  readonly #onChange: () => void;
  /** By provider and address: the rows of a list, times the operator's addresses. */
  readonly #pairs = new Map<string, Pair>();

  /**
   * @param egress the addresses of this host, 'default' if the system chooses
   * @param onChange called when a provider begins or ceases to refuse an address
   */
  constructor(egress: readonly string[], now: () => number, log: Log, onChange: () => void) {
    this.#egress = egress;
    this.#now = now;
    this.#log = log;
    this.#onChange = onChange;
  }

  /** How many providers refuse this host. */
  get count(): number {
    return new Set(this.#refusing().map(({ provider }) => provider)).size;
  }

  /** Who refuses which address. */
  list(): readonly ProviderRefusal[] {
    return this.#refusing()
      .map(({ provider, egress, refuses, samples }) => ({ provider, egress, ...(refuses ?? countOf(samples)) }))
      .slice(0, REFUSALS_MAX);
  }

  /** Takes in what was seen of one domain from an address. */
  record({ mx, outcome }: Pick<Evidence, 'mx' | 'outcome'>, from: string | null): void {
    const provider = providerName(mx);
    const refused = refusalStage(outcome) !== null;
    if (provider === null || !(refused || wasGreeted(outcome))) return;
    const now = this.#now();
    const pair = this.#pair(provider, this.#ordinal(from));
    const fresh = pair.samples.filter(({ atMs }) => now - atMs < WINDOW_MS);
    pair.samples = [...fresh, { atMs: now, refused }].slice(-SAMPLES_MAX);
    this.#judge(pair);
  }

  /** Several servers of a provider said to an address of this host that they block it: all of the provider is left alone. */
  blocked({ provider, egress }: Seat, lastsMs: number): void {
    if (provider === null) return;
    const pair = this.#pair(provider.replaceAll('.', '-'), egress);
    pair.blockedUntilMs = this.#now() + lastsMs;
    this.#say(pair, countOf(pair.samples));
  }

  #judge(pair: Pair): void {
    const all = countOf(pair.samples);
    if (all.of < SAMPLES_MIN) return;
    if (pair.refuses === null && shareOf(all) > REFUSED_SHARE) {
      pair.refuses = all;
      this.#say(pair, all);
    } else if (pair.refuses !== null && shareOf(all) < ACCEPTED_SHARE) {
      pair.refuses = null;
      this.#log('provider_accepts', { provider: pair.provider, egress: pair.egress, ...all });
      this.#onChange();
    }
  }

  #say({ provider, egress }: Pair, count: Count): void {
    this.#log('provider_refuses', { provider, egress, ...count });
    this.#onChange();
  }

  #refusing(): readonly Pair[] {
    const now = this.#now();
    return [...this.#pairs.values()].filter(({ refuses, blockedUntilMs }) => refuses !== null || blockedUntilMs > now);
  }

  #pair(provider: string, egress: number): Pair {
    const key = `${provider} ${egress}`;
    const pair = this.#pairs.get(key) ?? { provider, egress, samples: [], refuses: null, blockedUntilMs: 0 };
    this.#pairs.set(key, pair);
    return pair;
  }

  #ordinal(from: string | null): number {
    return Math.max(0, this.#egress.indexOf(from ?? 'default'));
  }
}

function countOf(samples: readonly Sample[]): Count {
  return { refused: samples.filter(({ refused }) => refused).length, of: samples.length };
}

function shareOf({ refused, of }: Count): number {
  return of === 0 ? 0 : refused / of;
}

/** What the listed provider of these MX hosts is called in logs and metrics, never as a domain; null: none is listed. */
export function providerName(mx: readonly string[]): string | null {
  return providerNameOf(mx[0] ?? '');
}

/** The stage at which a server refused who asked, and not the mailbox; null: it did not. */
export function refusalStage(outcome: Outcome): 'greeting' | 'ehlo' | 'mail' | 'rcpt' | null {
  if (outcome.kind === 'no_banner') return outcome.refused ? 'greeting' : null;
  return isKnown(LATER_STAGES, outcome.kind) ? STAGES[outcome.kind] : null;
}

/** The outcomes with which a server turns us away, as their rows say. */
type TurnedAway = {
  readonly [Kind in Outcome['kind']]: (typeof OUTCOMES)[Kind]['turnedAway'] extends true ? Kind : never;
}[Outcome['kind']];

const STAGES: Readonly<Record<Exclude<TurnedAway, 'no_banner'>, 'ehlo' | 'mail' | 'rcpt'>> = {
  ehlo_rejected: 'ehlo',
  mail_from_rejected: 'mail',
  policy_rejected: 'rcpt',
};
const LATER_STAGES = namesOf(STAGES);
