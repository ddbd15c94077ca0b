import type { EngineObserver, Seat } from '../ports/observer.ts';
import type { Account, Clock } from '../ports/ports.ts';
import type { Egress } from '../ports/settings.ts';
import type { Bucket } from './bucket.ts';
import type { Path } from './path.ts';
import type { Complaint } from './server/complaint.ts';
import type { Start } from './server/pace.ts';
import type { UnknownRecipients } from './server/unknown-recipients.ts';

/** The result of a session: the server `served` recipients of ours, complained about us, or neither. */
export type SessionResult = 'served' | 'neutral' | Complaint;

/** The limits as a permit uses them. */
type Limits = {
  readonly clock: Clock;
  readonly observer: EngineObserver | null;
  /** Waiting connections are refused because of a cool-down. */
  turnAway(): void;
};

/** A server may take this long to notice that a connection has ended, and counts it until then. */
const LINGERS_MS = 1_000;
/** How long a session may continue although a waiting account holds only one connection fewer. */
const SLICE_MS = 2_000;

/** Permission to connect, held until it is released. */
export class Permit {
  readonly account: Account;
  readonly #limits: Limits;
  readonly #path: Path;
  readonly #domain: string;
  /** What it counts as, at the address and at its provider. */
  readonly #start: Start;
  #isReleased = false;

  /** Takes a slot of every bucket of the path. */
  constructor(limits: Limits, path: Path, asker: { readonly account: Account; readonly domain: string }) {
    this.account = asker.account;
    this.#limits = limits;
    this.#path = path;
    this.#domain = asker.domain;
    this.#start = { account: this.account, atMs: this.#now(), state: 'dialled' };
    for (const bucket of path.buckets) {
      bucket.take(this.account);
      bucket.pace?.start(this.#start);
    }
  }

  /** Our address to connect from. */
  get egress(): Egress {
    return this.#path.egress;
  }

  get seat(): Seat {
    return this.#path.whole.seat;
  }

  /** How many recipients unknown to the gateway each account may still name there. */
  get unknown(): UnknownRecipients {
    return this.#path.whole.unknown;
  }

  /** The server accepted the connection: it greeted, and answered EHLO. */
  accepted(): void {
    if (this.#start.state !== 'dialled') return;
    this.#start.state = 'accepted';
    this.#path.address.accepted += 1;
  }

  /**
   * The server rejected the connection. If others of ours were open, from any batch, they may be the reason: it is no
   * evidence, and for a while there is one fewer.
   * @param how the server `named` another reason, was `silent` for so long that all others were decided, or neither
   * @returns whether others were open
   */
  rejected(how: 'named' | 'silent' | 'other'): boolean {
    const { bucket, accepted, lastEndAt } = this.#path.address;
    const others = bucket.inUse - 1;
    const wereThere = accepted > 0 || lastEndAt > this.#start.atMs - (how === 'other' ? LINGERS_MS : 0);
    // When several dial together, some may be rejected before others are accepted.
    if (!wereThere && (how === 'silent' || others === 0)) return false;
    bucket.lower(others, this.#now());
    this.#start.state = 'turned_away';
    return true;
  }

  /**
   * The server deferred the connection.
   * @param at where; `opening` is before it accepted the connection. A deferral at RCPT may concern one domain, and
   * slows nothing down
   * @returns whether our number of connections may be the reason: then it is no evidence, and starts back off
   */
  deferred(at: 'opening' | 'mail' | 'rcpt'): boolean {
    const { pace } = this.#path.address.bucket;
    const now = this.#now();
    if (pace?.isCrowded(at, now) !== true) return false;
    if (at !== 'rcpt') {
      pace.backOff(now);
      this.#limits.turnAway();
    }
    return true;
  }

  /** The current streak of refusals at the address. */
  streak(): number {
    return this.#path.address.refusals.streak;
  }

  /** Reports a result for one domain. @param since the streak when the domain was first asked about */
  report(domain: string, result: SessionResult, since: number): void {
    if (result === 'neutral') return;
    if (result === 'served') {
      this.accepted();
      this.#start.state = 'served';
      this.#path.ease(this.account);
      return;
    }
    const of = { account: this.account, domain, since };
    if (this.#path.complained(result, of, this.#now(), this.#limits.observer)) this.#limits.turnAway();
  }

  /** Whether the server is in cool-down by now, for all or for this account. */
  isCooling(): boolean {
    return this.#path.restsUntil(this.account) > this.#now();
  }

  /** Whether another connection waits for this one to end. @param by of others: and it is another account's */
  isWanted(by: 'anybody' | 'others'): boolean {
    const now = this.#now();
    const but = by === 'others' ? this.account : undefined;
    for (const bucket of this.#path.buckets) if (bucket.fewestWanting(now, but) < Infinity) return true;
    return false;
  }

  /** Whether it should end between two recipients: an account that holds fewer waits for its slot. */
  isDue(): boolean {
    const now = this.#now();
    const fewer = now - this.#start.atMs >= SLICE_MS ? 1 : 2;
    for (const bucket of this.#path.buckets)
      if (bucket.fewestWanting(now, this.account) <= bucket.heldBy(this.account) - fewer) return true;
    return false;
  }

  /** It holds a slot there. */
  uses(bucket: Bucket): boolean {
    return this.#path.buckets.includes(bucket);
  }

  /** Releases it, with the result for the domain that it was acquired for. */
  release(result: SessionResult): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    const { address, buckets } = this.#path;
    if (this.#start.state === 'accepted' || this.#start.state === 'served') {
      address.accepted -= 1;
      address.lastEndAt = this.#now();
    }
    for (const bucket of buckets) bucket.giveBack(this.account);
    this.report(this.#domain, result, this.streak());
    for (const bucket of buckets) bucket.serve();
  }

  #now(): number {
    return this.#limits.clock.now();
  }
}
