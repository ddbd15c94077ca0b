import type { Evidence, Outcome } from '../../schema/evidence.ts';
import { wasGreeted } from '../../schema/outcomes.ts';
import { PROVIDER_PACES } from '../engine/providers/provider-paces.ts';
import { providerOf } from '../engine/providers/provider.ts';
import type { Log } from '../log.ts';

// Whether a large provider refuses this host: an address of ours that is burned there. A second opinion by another host
// hides it from customers, so nothing but this would show it. It is counted for the host: which of its addresses asked
// does not stand in evidence.

const WINDOW_MS = 600_000;
/** Domains judged in the window before anything is said, and kept at most. */
const SAMPLES_MIN = 50;
const SAMPLES_MAX = 500;
/** More than this share of refusals is said; less than that takes it back. */
const REFUSED_SHARE = 0.2;
const ACCEPTED_SHARE = 0.1;

type Sample = { readonly atMs: number; readonly refused: boolean };

/** What providers of the list made of this host lately: one sample for each domain of a job. */
export class ProviderRefusals {
  readonly #now: () => number;
  readonly #log: Log;
  readonly #onChange: () => void;
  readonly #samples = new Map<string, Sample[]>();
  readonly #refusing = new Set<string>();

  /** @param onChange called when a provider begins or ceases to refuse this host */
  constructor(now: () => number, log: Log, onChange: () => void) {
    this.#now = now;
    this.#log = log;
    this.#onChange = onChange;
  }

  /** How many providers refuse this host. */
  get count(): number {
    return this.#refusing.size;
  }

  /** Takes in what was seen of one domain. */
  note({ mx, outcome }: Pick<Evidence, 'mx' | 'outcome'>): void {
    const provider = providerName(mx);
    const refused = refusalStage(outcome) !== null;
    if (provider === null || !(refused || wasGreeted(outcome))) return;
    const now = this.#now();
    const before = this.#samples.get(provider) ?? [];
    const samples = [...before, { atMs: now, refused }]
      .filter(({ atMs }) => now - atMs < WINDOW_MS)
      .slice(-SAMPLES_MAX);
    this.#samples.set(provider, samples);
    this.#judge(provider, samples);
  }

  #judge(provider: string, samples: readonly Sample[]): void {
    if (samples.length < SAMPLES_MIN) return;
    const refused = samples.filter((sample) => sample.refused).length;
    const share = refused / samples.length;
    const isRefusing = this.#refusing.has(provider);
    if (isRefusing ? share >= ACCEPTED_SHARE : share <= REFUSED_SHARE) return;
    if (isRefusing) this.#refusing.delete(provider);
    else this.#refusing.add(provider);
    this.#log(isRefusing ? 'provider_accepts' : 'provider_refuses', { provider, refused, of: samples.length });
    this.#onChange();
  }
}

/** What the listed provider of these MX hosts is called in logs and metrics, never as a domain; null: none is listed. */
export function providerName(mx: readonly string[]): string | null {
  return providerOf(mx[0] ?? '', PROVIDER_PACES)?.provider.replaceAll('.', '-') ?? null;
}

/** The stage at which a server refused who asked, and not the mailbox; null: it did not. */
export function refusalStage(outcome: Outcome): 'greeting' | 'ehlo' | 'mail' | 'rcpt' | null {
  if (outcome.kind === 'no_banner') return outcome.refused ? 'greeting' : null;
  return STAGES[outcome.kind] ?? null;
}

const STAGES: Readonly<Partial<Record<Outcome['kind'], 'ehlo' | 'mail' | 'rcpt'>>> = {
  ehlo_rejected: 'ehlo',
  mail_from_rejected: 'mail',
  policy_rejected: 'rcpt',
};
