import type { Evidence, Outcome } from '../../../schema/evidence.ts';
import { type ProviderRefusal, REFUSALS_MAX } from '../../../schema/link.ts';
import { type OUTCOMES, wasGreeted } from '../../../schema/outcomes.ts';
import { isKnown, namesOf } from '../../../schema/words/open.ts';
import { providerNameOf } from '../../../schema/providers.ts';
import type { Log } from '../../base/log.ts';
import type { Seat } from '../../engine/ports/observer.ts';

// Whether a large provider refuses an address of this host: it is burned there. A second opinion by another host hides
// that from customers, so nothing but this would show it. And a provider that goes on being asked from there refuses for
// longer: the pair rests, as long as another host is there to ask (`RestsUntil`), and is then tried with a few domains.

const WINDOW_MS = 600_000;
/** Domains judged in the window before anything is said, and kept at most. */
const SAMPLES_MIN = 50;
const SAMPLES_MAX = 500;
/** Domains judged after a rest before the next one begins. */
const TRIAL_MIN = 10;
/** More than this share of refusals is said; less than that takes it back. */
const REFUSED_SHARE = 0.2;
const ACCEPTED_SHARE = 0.1;
/** Each rest is twice as long as the one before. */
const REST_MS = { first: 3_600_000, longest: 4 * 3_600_000 };

type Sample = { readonly atMs: number; readonly refused: boolean };
type Count = { readonly refused: number; readonly of: number };

/** A provider and one of our addresses. */
type Pair = {
  readonly provider: string;
  readonly egress: number;
  samples: readonly Sample[];
  /** Set from the first refusals that were too many until it accepts us again; `count` is what began it. */
  rest: { readonly untilMs: number; readonly lastsMs: number; readonly count: Count } | null;
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
      .map(({ provider, egress, rest, samples }) => ({ provider, egress, ...(rest?.count ?? countOf(samples)) }))
      .slice(0, REFUSALS_MAX);
  }

  /** Until when the provider of an MX host is left alone from an address; 0 if it need not be. */
  restsUntil(from: string | null, host: string): number {
    const provider = providerName([host]);
    return provider === null ? 0 : (this.#pairs.get(`${provider} ${this.#ordinal(from)}`)?.rest?.untilMs ?? 0);
  }

  /** Takes in what was seen of one domain from an address. */
  record({ mx, outcome }: Pick<Evidence, 'mx' | 'outcome'>, from: string | null): void {
    const provider = providerName(mx);
    const refused = refusalStage(outcome) !== null;
    if (provider === null || !(refused || wasGreeted(outcome))) return;
    const now = this.#now();
    const pair = this.#pair(provider, this.#ordinal(from));
    // While it rests there are few: none is too old.
    const fresh = pair.samples.filter(({ atMs }) => pair.rest !== null || now - atMs < WINDOW_MS);
    pair.samples = [...fresh, { atMs: now, refused }].slice(-SAMPLES_MAX);
    this.#judge(pair, now);
  }

  /** Several servers of a provider said to an address of this host that they block it: all of the provider is left alone. */
  blocked({ provider, egress }: Seat, lastsMs: number): void {
    if (provider === null) return;
    const pair = this.#pair(provider.replaceAll('.', '-'), egress);
    pair.blockedUntilMs = this.#now() + lastsMs;
    this.#say(pair, countOf(pair.samples), lastsMs);
  }

  #judge(pair: Pair, now: number): void {
    const { rest, samples } = pair;
    const all = countOf(samples);
    if (rest === null) {
      if (all.of >= SAMPLES_MIN && shareOf(all) > REFUSED_SHARE) this.#rest(pair, REST_MS.first, all, now);
      return;
    }
    if (all.of >= SAMPLES_MIN && shareOf(all) < ACCEPTED_SHARE) return this.#end(pair, all);
    const trial = countOf(samples.filter(({ atMs }) => atMs >= rest.untilMs));
    if (trial.of >= TRIAL_MIN && shareOf(trial) > REFUSED_SHARE)
      this.#rest(pair, Math.min(REST_MS.longest, rest.lastsMs * 2), trial, now);
  }

  #rest(pair: Pair, lastsMs: number, count: Count, now: number): void {
    pair.rest = { untilMs: now + lastsMs, lastsMs, count };
    pair.samples = [];
    this.#say(pair, count, lastsMs);
  }

  #say({ provider, egress }: Pair, count: Count, lastsMs: number): void {
    this.#log('provider_refuses', { provider, egress, ...count, restS: Math.round(lastsMs / 1_000) });
    this.#onChange();
  }

  #end(pair: Pair, count: Count): void {
    pair.rest = null;
    this.#log('provider_accepts', { provider: pair.provider, egress: pair.egress, ...count });
    this.#onChange();
  }

  #refusing(): readonly Pair[] {
    const now = this.#now();
    return [...this.#pairs.values()].filter(({ rest, blockedUntilMs }) => rest !== null || blockedUntilMs > now);
  }

  #pair(provider: string, egress: number): Pair {
    const key = `${provider} ${egress}`;
    const pair = this.#pairs.get(key) ?? { provider, egress, samples: [], rest: null, blockedUntilMs: 0 };
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
