import type { Account, Clock } from '../../ports/ports.ts';

const SLOT_MS = 600_000;
/** Six slots of ten minutes are the hour that gateways count by. */
const SLOTS = 6;

/** The recipients named in ten minutes. */
type Slot = { readonly number: number; total: number; readonly of: Map<Account, number> };

/**
 * Limits unknown recipients per hour at a gateway, from one egress address: gateways count them and block a client with
 * too many. An account may name another only while it has named fewer than are left, so that a newcomer finds some.
 */
export class UnknownRecipients {
  readonly #perHour: number;
  /** Oldest first. */
  #slots: Slot[] = [];

  constructor(perHour: number) {
    this.#perHour = perHour;
  }

  /** How many more an account may name now. */
  left(account: Account, now: number): number {
    return this.#leftBehind(account, this.#forget(now));
  }

  /** Counts a recipient about to be named; `uncount` if it turns out to be known. */
  count(account: Account, now: number): void {
    if (this.#perHour === Infinity) return;
    const number = Math.floor(now / SLOT_MS);
    let slot = this.#forget(now).at(-1);
    if (slot?.number !== number) this.#slots.push((slot = { number, total: 0, of: new Map() }));
    slot.total += 1;
    slot.of.set(account, (slot.of.get(account) ?? 0) + 1);
  }

  /** The gateway knew it after all. */
  uncount(account: Account): void {
    const slot = this.#slots.findLast(({ of }) => (of.get(account) ?? 0) > 0);
    if (slot === undefined) return;
    slot.total -= 1;
    slot.of.set(account, (slot.of.get(account) ?? 1) - 1);
  }

  /** Milliseconds until an account may name another; 0 if it may now. */
  waitMs(account: Account, now: number): number {
    const slots = this.#forget(now);
    if (this.#leftBehind(account, slots) > 0) return 0;
    const last = slots.findIndex((_, i) => this.#leftBehind(account, slots.slice(i + 1)) > 0);
    return ((slots[last]?.number ?? 0) + SLOTS) * SLOT_MS - now;
  }

  isForgettable(now: number): boolean {
    return this.#forget(now).length === 0;
  }

  /**
   * How many are left counting these slots alone. Each named one counts twice: in the total, and in the account's own.
   */
  #leftBehind(account: Account, slots: readonly Slot[]): number {
    let used = 0;
    for (const { total, of } of slots) used += total + (of.get(account) ?? 0);
    return Math.max(0, Math.ceil((this.#perHour - used) / 2));
  }

  #forget(now: number): readonly Slot[] {
    const oldest = Math.floor(now / SLOT_MS) - SLOTS + 1;
    if ((this.#slots[0]?.number ?? oldest) < oldest) this.#slots = this.#slots.filter(({ number }) => number >= oldest);
    return this.#slots;
  }
}

/** How many recipients unknown to a gateway one account may still name there in this hour. */
export class RecipientAllowance {
  readonly #unknown: UnknownRecipients;
  readonly #account: Account;
  readonly #clock: Clock;

  constructor(unknown: UnknownRecipients, account: Account, clock: Clock) {
    this.#unknown = unknown;
    this.#account = account;
    this.#clock = clock;
  }

  get left(): number {
    return this.#unknown.left(this.#account, this.#clock.now());
  }

  /** Seconds until another may be named. */
  get waitS(): number {
    return Math.ceil(this.#unknown.waitMs(this.#account, this.#clock.now()) / 1000);
  }

  /** Counts a recipient about to be named that the gateway may not know. */
  count(): void {
    this.#unknown.count(this.#account, this.#clock.now());
  }

  /** The gateway knew it. */
  uncount(): void {
    this.#unknown.uncount(this.#account);
  }
}
