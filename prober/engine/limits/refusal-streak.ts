import type { Grievance } from './cool-down.ts';

// Refusals of us at RCPT. A gateway serves many customers, and one customer's policy is not the gateway's: a single
// refusal there rests nothing. What counts is a row: different domains at one address that were refused, with nothing
// accepted between. And since one customer can own three domains at a gateway, the row counts for
//
// - the account whose domains they are, once there are three of them: it alone lets the address rest;
// - everybody, once there are three of them *whichever account is left out*. So no account decides for the others, however
//   many domains it has: without it the row would be as long. Two accounts with three refused domains each are enough,
//   and so are four with one each.

/** Domains refused in a row that make a refusal of us. */
const ROW = 3;
/** Accounts remembered for one address, the latest. */
const ACCOUNTS_MAX = 8;
/** A row that nothing was added to for so long is broken. */
const ROW_LASTS_MS = 900_000;

/** For whom the address should rest, and why. */
export type Conclusion =
  | { readonly for: 'nobody' }
  | { readonly for: 'account' | 'everybody'; readonly why: Grievance };

/** Stands for one row and no other. */
export type Row = object;

/** The refusals in a row at one address. */
export class Refusals<Account> {
  /** For each account its latest refused domains, and what each was told. */
  #rows = new Map<Account, Map<string, Grievance>>();
  #lastAt = -Infinity;

  /** The row as it stands: another one once somebody was accepted. */
  get row(): Row {
    return this.#rows;
  }

  /**
   * One session in which a domain was refused because of us, and nobody accepted.
   * @param since the row when the domain was first asked about: sessions side by side end in any order, so if somebody
   *   was accepted since, that was between this refusal and the others
   */
  note(account: Account, domain: string, why: Grievance, now: number, since: Row = this.#rows): Conclusion {
    if (since !== this.#rows) return { for: 'nobody' };
    if (this.isForgettable(now)) this.#rows.clear();
    this.#lastAt = now;
    const own = this.#rows.get(account) ?? new Map<string, Grievance>();
    keepLatest(this.#rows, account, own, ACCOUNTS_MAX);
    keepLatest(own, domain, why, ROW);
    if (this.#isEverybodys()) {
      const all = whyOf([...this.#rows.values()].flatMap((row) => [...row.values()]));
      this.#rows.clear();
      return { for: 'everybody', why: all };
    }
    return own.size >= ROW ? { for: 'account', why: whyOf([...own.values()]) } : { for: 'nobody' };
  }

  /** Somebody was accepted: the row is broken. */
  clear(): void {
    this.#rows = new Map();
  }

  isForgettable(now: number): boolean {
    return this.#rows.size === 0 || this.#lastAt + ROW_LASTS_MS <= now;
  }

  #isEverybodys(): boolean {
    const accounts = [...this.#rows.keys()];
    return accounts.every((left) => {
      const others = accounts.filter((account) => account !== left).flatMap((account) => this.#domainsOf(account));
      return new Set(others).size >= ROW;
    });
  }

  #domainsOf(account: Account): string[] {
    return [...(this.#rows.get(account)?.keys() ?? [])];
  }
}

/** Only if all say so are we blocked. */
function whyOf(grievances: readonly Grievance[]): Grievance {
  return grievances.every((why) => why === 'blocked') ? 'blocked' : 'asked_too_much';
}

/** Sets an entry as the latest, and lets go of the oldest beyond `max`. */
function keepLatest<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, max: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > max && oldest !== undefined) map.delete(oldest);
}
