/** A server may need this long to see that a connection has ended, and counts it until then. */
export const LINGERS_MS = 1_000;

/** A connection of ours, from dialling to its end. */
export type OwnConnection = {
  state: 'undecided' | 'accepted' | 'over';
  /** The most others of ours that were accepted at one time while this one was undecided. */
  beside: number;
  /** One of ours had ended just before it was dialled. */
  readonly lingers: boolean;
};

type Waiter = {
  readonly one: OwnConnection;
  readonly others: Set<OwnConnection>;
  readonly settle: () => void;
};

/**
 * Our connections to one server, of all batches: if it rejects one, that may be because of the others. Of several that are
 * dialled together some may be rejected before the rest are accepted, so that is waited for.
 */
export class OwnConnections {
  #accepted = 0;
  #lastEndAt = -Infinity;
  readonly #undecided = new Set<OwnConnection>();
  readonly #waiters = new Set<Waiter>();

  dial(now: number): OwnConnection {
    const lingers = this.#lastEndAt + LINGERS_MS > now;
    const one: OwnConnection = { state: 'undecided', beside: this.#accepted, lingers };
    this.#undecided.add(one);
    return one;
  }

  /** Its greeting and the reply to EHLO were positive. */
  accept(one: OwnConnection): void {
    if (one.state !== 'undecided') return;
    one.state = 'accepted';
    this.#undecided.delete(one);
    this.#accepted += 1;
    for (const other of this.#undecided) other.beside = Math.max(other.beside, this.#accepted);
    for (const waiter of this.#waiters) {
      if (!waiter.others.has(one)) continue;
      waiter.one.beside = Math.max(waiter.one.beside, this.#accepted);
      waiter.settle();
    }
  }

  /**
   * The server rejected it. If others were connected meanwhile, or those dialled by then are accepted, that may be the cause.
   * @param hasOwnCause as in `ConnectionPermit.rejected`: a connection that ended just before is not the cause
   * @param signal ends the waiting for the others; the result is then no evidence
   * @returns how many the server bears, for all that can be seen; Infinity: not known; null: no other was there
   */
  async reject(one: OwnConnection, hasOwnCause: boolean, signal: AbortSignal): Promise<number | null> {
    this.#close(one);
    if (one.lingers && !hasOwnCause) one.beside = Math.max(one.beside, 1);
    if (one.beside === 0 && this.#undecided.size > 0) await this.#waitForOthers(one, signal);
    if (one.beside === 0) return signal.aborted ? Infinity : null;
    return Math.max(one.beside, this.#accepted + this.#undecided.size);
  }

  /** It has ended, however it went. */
  end(one: OwnConnection, now: number): void {
    if (one.state === 'accepted') {
      this.#accepted -= 1;
      this.#lastEndAt = now;
    }
    this.#close(one);
  }

  #close(one: OwnConnection): void {
    one.state = 'over';
    if (!this.#undecided.delete(one)) return;
    for (const waiter of this.#waiters) if (waiter.others.delete(one) && waiter.others.size === 0) waiter.settle();
  }

  #waitForOthers(one: OwnConnection, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const settle = (): void => {
        this.#waiters.delete(waiter);
        signal.removeEventListener('abort', settle);
        resolve();
      };
      const waiter: Waiter = { one, others: new Set(this.#undecided), settle };
      this.#waiters.add(waiter);
      signal.addEventListener('abort', settle, { once: true });
      if (signal.aborted) settle();
    });
  }
}
