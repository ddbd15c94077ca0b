import type { Permit } from '../limits/permit.ts';
import type { Clock } from '../ports/ports.ts';
import type { Worker } from './worker.ts';

/** Idle workers of one account, and of all accounts together. */
export const IDLE_OF_ACCOUNT_MAX = 20;
export const IDLE_MAX = 500;

type Idle = { readonly worker: Worker; readonly disarm: () => void };

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

  keep(worker: Worker, forMs: number): void {
    this.#idle.push({ worker, disarm: this.#clock.after(forMs, () => this.end(worker)) });
    // Its server has sent something, or closed it.
    worker.held.session.connection.rest(() => this.end(worker, 'destroy'));
    const { account } = worker.held.permit;
    let own = 0;
    for (const one of this.#idle) if (one.worker.held.permit.account === account) own += 1;
    if (own > IDLE_OF_ACCOUNT_MAX) this.makeRoom((permit) => permit.account === account);
    else if (this.#idle.length > IDLE_MAX) this.makeRoom(() => true);
  }

  /** Those of one site, the latest first. */
  of(employer: Worker['employer']): Worker[] {
    const own: Worker[] = [];
    for (const { worker } of this.#idle) if (worker.employer === employer) own.unshift(worker);
    return own;
  }

  /** Ends the longest idle one that is in the way of a waiting connection. */
  makeRoom(isInTheWay: (permit: Permit) => boolean): void {
    const first = this.#idle.find(({ worker }) => isInTheWay(worker.held.permit));
    if (first !== undefined) this.end(first.worker);
  }

  endAll(): void {
    for (const { worker } of this.#idle.slice()) this.end(worker);
  }

  /** Ends one that was kept; nothing if it is not any more. */
  end(worker: Worker, fate: 'quit' | 'destroy' = 'quit'): void {
    if (this.take(worker)) worker.end(fate);
  }

  /** It is used again, or ends. @returns whether it was idle */
  take(worker: Worker): boolean {
    const at = this.#idle.findIndex((one) => one.worker === worker);
    if (at < 0) return false;
    this.#idle.splice(at, 1)[0]?.disarm();
    return true;
  }
}
