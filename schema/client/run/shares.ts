import { isUnprobed, type OpenResult } from '../../words/result.ts';

// How many addresses of one domain a request carries. The service asks a domain's addresses one after the other and
// has 90 s for the request: 100 leave each of them 0.9 s, which an ordinary server keeps with its refusals and pauses
// in. What the answers tell moves that number, for each domain by itself.

const FIRST = 100;
const LEAST = 5;
const MOST = 500;
/** A request that took less leaves room for twice as many. */
const QUICK_MS = 20_000;
/** Domains remembered: those of the last answers that differed from the first guess. */
const DOMAINS_MAX = 10_000;

type Answers = Iterable<readonly [{ readonly domain: string }, OpenResult]>;

export class Shares {
  readonly #shares = new Map<string, number>();
  /** Addresses under way by domain. */
  readonly #underWay = new Map<string, number>();

  /** How many more of this domain may be sent now. One that has been slow is in one request at a time. */
  roomFor(domain: string): number {
    const share = this.#shares.get(domain) ?? FIRST;
    return share < FIRST && this.#underWay.has(domain) ? 0 : share;
  }

  begin(domains: readonly string[]): void {
    for (const domain of domains) this.#underWay.set(domain, (this.#underWay.get(domain) ?? 0) + 1);
  }

  /**
   * A request has ended.
   * @param domains of all that it carried
   * @param results what it learnt
   */
  end(domains: readonly string[], results: Answers, tookMs: number): void {
    for (const domain of domains) {
      const left = (this.#underWay.get(domain) ?? 0) - 1;
      if (left > 0) this.#underWay.set(domain, left);
      else this.#underWay.delete(domain);
    }
    const unprobed = new Set<string>();
    const answered = new Map<string, number>();
    for (const [{ domain }, result] of results) {
      answered.set(domain, (answered.get(domain) ?? 0) + 1);
      if (isUnprobed(result)) unprobed.add(domain);
    }
    for (const [domain, count] of answered) {
      const share = this.#shares.get(domain) ?? FIRST;
      if (unprobed.has(domain)) this.#set(domain, Math.max(LEAST, Math.floor(share / 2)));
      else if (tookMs < QUICK_MS && count >= share) this.#set(domain, Math.min(MOST, share * 2));
    }
  }

  #set(domain: string, share: number): void {
    this.#shares.delete(domain);
    this.#shares.set(domain, share);
    const [oldest] = this.#shares.keys();
    if (this.#shares.size > DOMAINS_MAX && oldest !== undefined) this.#shares.delete(oldest);
  }
}
