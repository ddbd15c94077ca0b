import type { AccountClass } from '../../../schema/account-class.ts';
import type { FleetJob, Lack } from '../../base/fleet-protocol.ts';

// The room of a Fleet object, shared between accounts: pure. An account holds no more than it leaves free, and accounts
// that never bought credits hold no more than half together.

/** What a batch costs besides its addresses, in addresses. */
const BATCH_COSTS = 25;
/** Measured for an address with the longest possible names, without unread output; an ordinary one takes 190. */
const ADDRESS_BYTES = 480;
/** Out of the 128 MB that the platform gives: the rest is code, links, and frames in transit. */
const BYTES_MAX = 72_000_000;

export type Needs = { readonly account: string; readonly accountClass: AccountClass; readonly amount: number };
type Asking = Pick<FleetJob, 'account' | 'accountClass' | 'addresses'>;

export function needsOf({ account, accountClass, addresses }: Asking): Needs {
  return { account, accountClass, amount: BATCH_COSTS + addresses.length };
}

/** How much of the room of one Fleet object each account holds. */
export class Capacity {
  readonly #shards: number;
  readonly #held = new Map<string, number>();
  #total = 0;
  #ofFree = 0;

  /** @param shards Fleet objects that share the hosts: each gives out its part of them */
  constructor(shards = 1) {
    this.#shards = shards;
  }

  /** In use by all accounts together. */
  get total(): number {
    return this.#total;
  }

  /**
   * The total room: what memory allows, and this object's share of what the hosts can run.
   * @param slots addresses that the hosts can run at once; 0: there is no host, and a batch waits for one
   * @param unread bytes written that no Worker has read yet
   */
  sizeOf(slots: number, unread: number): number {
    const inMemory = Math.floor((BYTES_MAX - unread) / ADDRESS_BYTES);
    return slots === 0 ? inMemory : Math.min(inMemory, Math.max(1, Math.floor(slots / this.#shards)));
  }

  /**
   * Why a batch may not begin; null if it may. A batch larger than the room may begin while no other account holds any.
   */
  lacks({ account, accountClass, amount }: Needs, size: number): Lack | null {
    if (this.#total === 0) return null;
    const left = size - this.#total - amount;
    // An account that has bought and holds nothing would get no more than this.
    if (amount > left) return 'full';
    const own = (this.#held.get(account) ?? 0) + amount;
    if (own > left) return 'share';
    return accountClass === 'free' && this.#ofFree + amount > size / 2 ? 'share' : null;
  }

  take(needs: Needs): void {
    this.#change(needs, needs.amount);
  }

  giveBack(needs: Needs): void {
    this.#change(needs, -needs.amount);
  }

  #change({ account, accountClass }: Needs, by: number): void {
    this.#total += by;
    if (accountClass === 'free') this.#ofFree += by;
    const own = (this.#held.get(account) ?? 0) + by;
    if (own > 0) this.#held.set(account, own);
    else this.#held.delete(account);
  }
}
