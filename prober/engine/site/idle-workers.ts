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
    const own = this.#idle.filter((one) => one.worker.held.permit.account === account);
    if (own.length > IDLE_OF_ACCOUNT_MAX) this.#endFirst(own);
    else if (this.#idle.length > IDLE_MAX) this.#endFirst(this.#idle);
  }

  /** Those of one site, the latest first. */
  of(employer: Worker['employer']): Worker[] {
    const own = this.#idle.filter(({ worker }) => worker.employer === employer);
    return own.map(({ worker }) => worker).toReversed();
  }

  /** Ends the longest idle one that is in the way of a waiting connection. */
  makeRoom(isInTheWay: (permit: Permit) => boolean): void {
    this.#endFirst(this.#idle.filter(({ worker }) => isInTheWay(worker.held.permit)));
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

  #endFirst([first]: readonly Idle[]): void {
    if (first !== undefined) this.end(first.worker);
  }
}
