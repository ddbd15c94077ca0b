import { type Holder, type Lack, SharedRoom } from '../../../schema/shares.ts';
import type { FleetJob } from '../../base/fleet-protocol.ts';

// What a Fleet object has room for, shared between accounts: pure.

/** What a batch keeps at most besides the text of its addresses, as `npm run bench -- object` measures it. */
const BATCH_BYTES = 12_000;
const ADDRESS_BYTES = 140;
/** Of the 128 MB that the platform gives: the rest is code, links, and frames on their way. */
const BYTES_MAX = 72_000_000;

type Needs = { readonly holder: Holder; readonly addresses: number; readonly bytes: number };
/** What a batch needs. */
export function needsOf({
  account,
  accountClass,
  addresses,
}: Pick<FleetJob, 'account' | 'accountClass' | 'addresses'>): Needs {
  const text = addresses.reduce((sum, [local, domain]) => sum + local.length + domain.length, 0);
  return {
    holder: { account, class: accountClass },
    addresses: addresses.length,
    bytes: BATCH_BYTES + addresses.length * ADDRESS_BYTES + text,
  };
}

/** What the hosts that take jobs can run at once. With no host connected both are 0, and a batch waits for one. */
export type HostRoom = { readonly addresses: number; readonly batches: number };

/** Whom nobody has more room than: an account that has bought, and holds nothing. */
const FIRST: Holder = { account: '', class: 'bought' };

/**
 * A batch that was begun is not ended for another's sake. So what free accounts leave to those that bought is kept for
 * them at all times, as if one of them always waited.
 */
const BOUGHT_WAITS = true;

/** The room of one Fleet object: its own memory, and its part of what the hosts can run at once. */
export class Capacity {
  readonly #shards: number;
  readonly #addresses = new SharedRoom('fleet addresses');
  readonly #batches = new SharedRoom('fleet batches');
  readonly #bytes = new SharedRoom('fleet memory');

  /** @param shards Fleet objects that share the hosts: each gives out its part of them */
  constructor(shards = 1) {
    this.#shards = shards;
  }

  /** Addresses under way. */
  get addresses(): number {
    return this.#addresses.total;
  }

  /** This object's part of what the hosts can run. */
  partOf(all: number): number {
    return Math.max(1, Math.floor(all / this.#shards));
  }

  /**
   * @param unread bytes written that no Worker has read yet
   * @returns null if there is room, else why not; `full`: whoever asked would be refused as much
   */
  lacks(needs: Needs, hosts: HostRoom, unread: number): Lack | null {
    if (this.#isRefused({ ...needs, holder: FIRST }, hosts, unread)) return 'full';
    return this.#isRefused(needs, hosts, unread) ? 'share' : null;
  }

  /** Whether an account of the same class that holds nothing would lack as much too. */
  lacksAsClass(needs: Needs, hosts: HostRoom, unread: number): boolean {
    return this.#isRefused({ ...needs, holder: { ...FIRST, class: needs.holder.class } }, hosts, unread);
  }

  #isRefused({ holder, addresses, bytes }: Needs, hosts: HostRoom, unread: number): boolean {
    return (
      this.#bytes.lacks(holder, bytes, BYTES_MAX - unread, BOUGHT_WAITS) !== null ||
      (hosts.batches > 0 &&
        (this.#addresses.lacks(holder, addresses, this.partOf(hosts.addresses), BOUGHT_WAITS) !== null ||
          this.#batches.lacks(holder, 1, this.partOf(hosts.batches), BOUGHT_WAITS) !== null))
    );
  }

  reserve({ holder, addresses, bytes }: Needs): void {
    this.#addresses.take(holder, addresses);
    this.#batches.take(holder, 1);
    this.#bytes.take(holder, bytes);
  }

  release({ holder, addresses, bytes }: Needs): void {
    this.#addresses.giveBack(holder, addresses);
    this.#batches.giveBack(holder, 1);
    this.#bytes.giveBack(holder, bytes);
  }
}
