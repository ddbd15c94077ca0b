import type { AccountClass } from '../../../schema/account-class.ts';
import type { FleetJob, Lack } from '../../base/fleet-protocol.ts';

// What a Fleet object has room for, shared between accounts: pure. An account holds no more than it leaves free, and accounts
// that never bought credits no more than half together.

/** What a batch needs besides its addresses, as addresses. */
const BATCH_COSTS = 25;
/** Of an address with the longest names there are, what was written and not read yet apart: measured, as an ordinary one's 190. */
const ADDRESS_BYTES = 480;
/** Of the 128 MB that the platform gives: the rest is code, links, and frames on their way. */
const BYTES_MAX = 72_000_000;

export type Needs = { readonly account: string; readonly accountClass: AccountClass; readonly amount: number };
type Asking = Pick<FleetJob, 'account' | 'accountClass' | 'addresses'>;

/** What a batch needs. */
export function needsOf({ account, accountClass, addresses }: Asking): Needs {
  return { account, accountClass, amount: BATCH_COSTS + addresses.length };
}

/** Who holds how much of the room of one Fleet object. */
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
   * All there is: what memory holds, and this object's part of what the hosts can run.
   * @param slots addresses that the hosts can run at once; 0: none is there, and a batch waits for one
   * @param unread bytes written that no Worker has read yet
   */
  sizeOf(slots: number, unread: number): number {
    const inMemory = Math.floor((BYTES_MAX - unread) / ADDRESS_BYTES);
    return slots === 0 ? inMemory : Math.min(inMemory, Math.max(1, Math.floor(slots / this.#shards)));
  }

  /** Why a batch may not begin; null: it may. What needs more than there is may, while nobody else holds any. */
  lacks({ account, accountClass, amount }: Needs, size: number): Lack | null {
    if (this.#total === 0) return null;
    const left = size - this.#total - amount;
    // An account that has bought and holds nothing would get no more.
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
