import type { SharedResource } from '../../../../schema/shares.ts';
import type { Account } from '../../ports/ports.ts';

const HOUR_MS = 3_600_000;

type Asker = { readonly account: Account };
type Named = Asker & { readonly atMs: number };

/**
 * Limit on unknown recipients per hour at a gateway, from one egress address: gateways count them and block a client that
 * has too many. All accounts share the limit by `lackOf`: one may name another recipient only while it has named fewer than
 * are left.
 */
export class InvalidRecipients {
  readonly resource: SharedResource = 'unknown recipients';
  readonly #perHour: number;
  /** The oldest first; no more than the limit of an hour. */
  readonly #named: Named[] = [];
  readonly #counts = new Map<Account, number>();

  constructor(perHour: number) {
    this.#perHour = perHour;
  }

  get size(): number {
    return this.#named.length;
  }

  /** How many more an account may name now. */
  left(asker: Asker, now: number): number {
    this.#forget(now);
    // Each costs two: one of the total, and one more that the account has used itself.
    return Math.max(0, Math.ceil(this.#room(asker) / 2));
  }

  /** Counts a recipient that is about to be named; `uncount` if it turns out to be known. */
  count({ account }: Asker, now: number): void {
    if (this.#perHour === Infinity) return;
    this.#forget(now);
    this.#named.push({ atMs: now, account });
    this.#counts.set(account, this.#countOf(account) + 1);
  }

  /** The gateway knew it after all. */
  uncount({ account }: Asker): void {
    const at = this.#named.findLastIndex((one) => one.account === account);
    const [known] = at < 0 ? [] : this.#named.splice(at, 1);
    if (known !== undefined) this.#decrement(known);
  }

  /** Milliseconds until an account may name another; 0 if it may now. */
  waitMs(asker: Asker, now: number): number {
    if (this.#room(asker) > 0) return 0;
    const gone = { total: 0, own: 0 };
    for (const one of this.#named) {
      gone.total += 1;
      if (one.account === asker.account) gone.own += 1;
      if (this.#room(asker, gone) > 0) return Math.max(0, one.atMs + HOUR_MS - now);
    }
    return 0;
  }

  isForgettable(now: number): boolean {
    const last = this.#named.at(-1);
    return last === undefined || last.atMs + HOUR_MS <= now;
  }

  /** @param gone what is forgotten by then */
  #room({ account }: Asker, gone = { total: 0, own: 0 }): number {
    const own = this.#countOf(account) - gone.own;
    const left = this.#perHour - (this.#named.length - gone.total);
    return left - own;
  }

  #forget(now: number): void {
    let old = 0;
    for (const one of this.#named) {
      if (one.atMs + HOUR_MS > now) break;
      old += 1;
      this.#decrement(one);
    }
    if (old > 0) this.#named.splice(0, old);
  }

  #countOf(account: Account): number {
    return this.#counts.get(account) ?? 0;
  }

  #decrement({ account }: Asker): void {
    const count = this.#countOf(account) - 1;
    if (count > 0) this.#counts.set(account, count);
    else this.#counts.delete(account);
  }
}
