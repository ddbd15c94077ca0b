import type { Account } from '../ports/ports.ts';

const HOUR_MS = 3_600_000;

type Named = { readonly atMs: number; readonly account: Account };

/**
 * Recipients of the last hour that a gateway did not know, from one egress address. Gateways count them, and shut out who
 * has too many. So many are shared by all accounts: one may name another only while it has named fewer than are left. Alone
 * it has half of them, two have a third each, and a newcomer always finds as many left as anybody has had.
 */
export class InvalidRecipients {
  readonly #perHour: number;
  /** The oldest first; no more than an hour may see. */
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
    // Each makes two fewer: one in all, and one more that it has had itself.
    return Math.max(0, Math.ceil(this.#room(account) / 2));
  }

  /** One is named: it counts, as long as it is not taken back. */
  name(account: Account, now: number): void {
    if (this.#perHour === Infinity) return;
    this.#forget(now);
    this.#named.push({ atMs: now, account });
    this.#counts.set(account, this.#countOf(account) + 1);
  }

  /** The gateway did know it. */
  takeBack(account: Account): void {
    const at = this.#named.findLastIndex((one) => one.account === account);
    if (at < 0) return;
    this.#named.splice(at, 1);
    this.#lessen(account);
  }

  /** After how many milliseconds an account may name another, 0 if it may now. */
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
      this.#lessen(account);
    }
    if (old > 0) this.#named.splice(0, old);
  }

  #countOf(account: Account): number {
    return this.#counts.get(account) ?? 0;
  }

  #lessen(account: Account): void {
    const count = this.#countOf(account) - 1;
    if (count > 0) this.#counts.set(account, count);
    else this.#counts.delete(account);
  }
}
