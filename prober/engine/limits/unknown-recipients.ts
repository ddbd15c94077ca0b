import type { Account, Clock } from '../ports/ports.ts';

const SLOT_MS = 600_000;
/** Six slots of ten minutes are the hour that gateways count by. */
const SLOTS = 6;

type Slot = { readonly number: number; total: number; readonly of: Map<Account, number> };

/**
 * Limits unknown recipients per hour at a gateway, from one egress address: gateways count them and block a client with
 * too many. An account may name another only while it has named fewer than are left, so that a newcomer finds some.
 */
export class UnknownRecipients {
  readonly #perHour: number;
  readonly #clock: Clock;
  #slots: Slot[] = [];

  constructor(perHour: number, clock: Clock) {
    this.#perHour = perHour;
    this.#clock = clock;
  }

  left(account: Account): number {
    this.#forget();
    let used = 0;
    // Each one that it named counts twice: in the total, and as its own.
    for (const { total, of } of this.#slots) used += total + (of.get(account) ?? 0);
    return Math.max(0, Math.ceil((this.#perHour - used) / 2));
  }

  /** Seconds after which to try again: until the oldest slot is forgotten. 0 if the account may name another now. */
  waitS(account: Account): number {
    const [oldest] = this.#slots;
    if (oldest === undefined || this.left(account) > 0) return 0;
    return Math.ceil(((oldest.number + SLOTS) * SLOT_MS - this.#clock.now()) / 1000);
  }

  /** Counts a recipient about to be named. @param by -1: the gateway knew it after all */
  count(account: Account, by: 1 | -1 = 1): void {
    if (this.#perHour === Infinity) return;
    const number = this.#forget();
    let slot = this.#slots.at(-1);
    if (slot?.number !== number) this.#slots = [...this.#slots, (slot = { number, total: 0, of: new Map() })];
    slot.total += by;
    slot.of.set(account, (slot.of.get(account) ?? 0) + by);
  }

  /** Hardly any were named: even if as many are in every minute, they are fewer than may be. */
  get isForgettable(): boolean {
    this.#forget();
    return this.#slots.reduce((sum, { total }) => sum + total, 0) <= this.#perHour / 100;
  }

  #forget(): number {
    const number = Math.floor(this.#clock.now() / SLOT_MS);
    while (this.#slots[0] !== undefined && this.#slots[0].number <= number - SLOTS) this.#slots.shift();
    return number;
  }
}
