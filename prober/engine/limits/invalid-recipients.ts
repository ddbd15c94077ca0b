import type { Account } from '../ports/ports.ts';

const HOUR_MS = 3_600_000;

type Named = { readonly atMs: number; readonly account: Account };

/**
 * Limit on unknown recipients per hour at a gateway, from one egress address: gateways count them and block a client that
 * has too many. All accounts share the limit: one may name another recipient only while it has named fewer than are left.
 * Alone it has half of them, two have a third each, and a newcomer always finds as many left as any account has used.
 */
export class InvalidRecipients {
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
  left(account: Account, now: number): number {
    this.#forget(now);
    // Each costs two: one of the total, and one more that the account has used itself.
    return Math.max(0, Math.ceil(this.#room(account) / 2));
  }

  /** Counts a recipient that is about to be named; `uncount` if it turns out to be known. */
  count(account: Account, now: number): void {
    if (this.#perHour === Infinity) return;
    this.#forget(now);
    this.#named.push({ atMs: now, account });
    this.#counts.set(account, this.#countOf(account) + 1);
  }

  /** The gateway knew it after all. */
  uncount(account: Account): void {
    const at = this.#named.findLastIndex((one) => one.account === account);
    if (at < 0) return;
    this.#named.splice(at, 1);
    this.#decrement(account);
  }

  /** Milliseconds until an account may name another; 0 if it may now. */
  waitMs(account: Account, now: number): number {
    let room = this.#room(account);
    for (const one of room > 0 ? [] : this.#named) {
      room += one.account === account ? 2 : 1;
      if (room > 0) return Math.max(0, one.atMs + HOUR_MS - now);
    }
    return 0;
  }

  isForgettable(now: number): boolean {
    const last = this.#named.at(-1);
    return last === undefined || last.atMs + HOUR_MS <= now;
  }

  #room(account: Account): number {
    return this.#perHour - this.#named.length - this.#countOf(account);
  }

  #forget(now: number): void {
    let old = 0;
    for (const { atMs, account } of this.#named) {
      if (atMs + HOUR_MS > now) break;
      old += 1;
      this.#decrement(account);
    }
    if (old > 0) this.#named.splice(0, old);
  }

  #countOf(account: Account): number {
    return this.#counts.get(account) ?? 0;
  }

  #decrement(account: Account): void {
    const count = this.#countOf(account) - 1;
    if (count > 0) this.#counts.set(account, count);
    else this.#counts.delete(account);
  }
}
