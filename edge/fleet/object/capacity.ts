// What a Fleet object has room for, shared between accounts: pure.

/** `full`: nobody gets so much. `share`: others would, this account has enough. */
export type Lack = 'full' | 'share';

/** What an account may have, as a multiple of what is still free for everybody. */
const SHARE = 4;

/**
 * One kind of room. An account may have four times as much as is left to others, so that a single one gets four fifths
 * at once and the next still finds some; the more accounts there are, the less each can take.
 */
export class Room {
  readonly #used = new Map<string, number>();
  #total = 0;

  get used(): number {
    return this.#total;
  }

  /**
   * @param size all there is. Who asks for more than that gets it while nobody else has any.
   * @returns null if there is room, else why not
   */
  lacks(account: string, amount: number, size: number): Lack | null {
    if (this.#total === 0) return null;
    const left = size - this.#total - amount;
    if (left < 0) return 'full';
    const mine = this.#used.get(account) ?? 0;
    return mine > 0 && mine + amount > SHARE * left ? 'share' : null;
  }

  reserve(account: string, amount: number): void {
    this.#total += amount;
    this.#used.set(account, (this.#used.get(account) ?? 0) + amount);
  }

  release(account: string, amount: number): void {
    this.#total -= amount;
    const rest = (this.#used.get(account) ?? 0) - amount;
    if (rest > 0) this.#used.set(account, rest);
    else this.#used.delete(account);
  }
}

/** What a batch keeps at most besides the text of its addresses, as `npm run bench -- object` measures it. */
const BATCH_BYTES = 12_000;
const ADDRESS_BYTES = 140;
/** Of the 128 MB that the platform gives: the rest is code, links, and frames on their way. */
const BYTES_MAX = 72_000_000;

type Needs = { readonly account: string; readonly addresses: number; readonly bytes: number };
type Asking = {
  readonly batchId: string;
  readonly account?: string;
  readonly addresses: ReadonlyArray<readonly [string, string]>;
};

/** What a batch needs. One whose account is not said is an account of its own. */
export function needsOf({ batchId, account, addresses }: Asking): Needs {
  const text = addresses.reduce((sum, [local, domain]) => sum + local.length + domain.length, 0);
  return {
    account: account ?? batchId,
    addresses: addresses.length,
    bytes: BATCH_BYTES + addresses.length * ADDRESS_BYTES + text,
  };
}

/** The room of one Fleet object: its own memory, and the addresses that its hosts can run at once. */
export class Capacity {
  readonly #addresses = new Room();
  readonly #bytes = new Room();

  /**
   * @param slots of all hosts that take jobs; 0: none is connected, and a batch waits for one
   * @param unread bytes written that no Worker has read yet
   * @returns null if there is room, else why not
   */
  lacks({ account, addresses, bytes }: Needs, slots: number, unread: number): Lack | null {
    const slotsLack = slots > 0 ? this.#addresses.lacks(account, addresses, slots) : null;
    const bytesLack = this.#bytes.lacks(account, bytes, BYTES_MAX - unread);
    return slotsLack === 'full' ? 'full' : (bytesLack ?? slotsLack);
  }

  reserve({ account, addresses, bytes }: Needs): void {
    this.#addresses.reserve(account, addresses);
    this.#bytes.reserve(account, bytes);
  }

  release({ account, addresses, bytes }: Needs): void {
    this.#addresses.release(account, addresses);
    this.#bytes.release(account, bytes);
  }
}
