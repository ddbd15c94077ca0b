import type { Permit } from '../limits/permit.ts';
import type { Account, Clock } from '../ports/ports.ts';
import type { Worker } from './worker.ts';

/** Idle workers of one account, and of all accounts together. */
export const IDLE_OF_ACCOUNT_MAX = 20;
export const IDLE_MAX = 500;

type End = (fate: 'quit' | 'destroy') => void;
type Idle = { readonly account: Account; readonly worker: Worker; readonly onEnd: End; readonly disarm: () => void };

/**
 * The idle workers of all accounts. Each ends when its time is over, at the first byte that its server sends, when its
 * slot is wanted, and as the longest idle one when there are too many.
 */
export class IdleWorkers {
  readonly #clock: Clock;
  /** The longest idle first. An array: a set keeps deleted entries, and closed sockets, alive in its old table. */
  readonly #idle: Idle[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#idle.length;
  }

  /** @param onEnd it is idle no more, and ends; `destroy`: its server has sent something, or closed it */
  keep(account: Account, worker: Worker, forMs: number, onEnd: End): void {
    this.#idle.push({ account, worker, onEnd, disarm: this.#clock.after(forMs, () => this.end(worker)) });
    worker.held.session.connection.rest(() => this.end(worker, 'destroy'));
    const own = this.#idle.reduce((count, one) => (one.account === account ? count + 1 : count), 0);
    const isTooMany = own > IDLE_OF_ACCOUNT_MAX;
    const longest = isTooMany ? this.#idle.find((one) => one.account === account) : this.#idle[0];
    if (longest !== undefined && (isTooMany || this.#idle.length > IDLE_MAX)) this.end(longest.worker);
  }

  /** Ends one that was kept; nothing if it is not any more. */
  end(worker: Worker, fate: 'quit' | 'destroy' = 'quit'): void {
    this.take(worker)?.onEnd(fate);
  }

  /** Ends the longest idle one that is in the way of a waiting connection. */
  makeRoom(isInTheWay: (permit: Permit) => boolean): void {
    const idle = this.#idle.find(({ worker }) => isInTheWay(worker.held.permit));
    if (idle !== undefined) this.end(idle.worker);
  }

  endAll(): void {
    for (const { worker } of this.#idle.slice()) this.end(worker);
  }

  /** It is used again, or ends. @returns nothing if it was not idle */
  take(worker: Worker): Idle | undefined {
    const at = this.#idle.findIndex((one) => one.worker === worker);
    if (at < 0) return undefined;
    const [idle] = this.#idle.splice(at, 1);
    idle?.disarm();
    return idle;
  }
}
