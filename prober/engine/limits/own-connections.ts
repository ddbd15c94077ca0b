/** A server takes its time to see that a connection has ended, and may count it until then. */
export const LINGERS_MS = 1_000;

/** A connection of ours, from dialling to its end. */
export type Dialled = {
  state: 'undecided' | 'let_in' | 'over';
  /** The most that stood at one time while it was not decided whether it is let in. */
  beside: number;
  /** One had ended just before it was dialled. */
  readonly lingers: boolean;
};

type Waiter = { readonly one: Dialled; readonly others: Set<Dialled>; readonly settle: () => void };

/**
 * Whom of ours a server has let in, of whatever batch: that it turns another one away may be because of them. Of those
 * that are dialled together some may be turned away before the others are let in, so that is waited for.
 */
export class Admissions {
  #standing = 0;
  #lastEndAt = -Infinity;
  readonly #undecided = new Set<Dialled>();
  readonly #waiters = new Set<Waiter>();

  dial(now: number): Dialled {
    const lingers = this.#lastEndAt + LINGERS_MS > now;
    const one: Dialled = { state: 'undecided', beside: this.#standing, lingers };
    this.#undecided.add(one);
    return one;
  }

  /** Its greeting and its answer to EHLO were good. */
  letIn(one: Dialled): void {
    if (one.state !== 'undecided') return;
    one.state = 'let_in';
    this.#undecided.delete(one);
    this.#standing += 1;
    for (const other of this.#undecided) other.beside = Math.max(other.beside, this.#standing);
    for (const waiter of this.#waiters) {
      if (!waiter.others.has(one)) continue;
      waiter.one.beside = Math.max(waiter.one.beside, this.#standing);
      waiter.settle();
    }
  }

  /**
   * Nothing came of it. If others stood meanwhile, or those who were dialled by then are let in, that may be because of them.
   * @param meant as in `Place`: one that ended just before explains nothing
   * @param signal ends the waiting for the others; what is not known then is no evidence
   * @returns how many the server bears, for all that can be seen; Infinity: that is not known; null: nobody else was there
   */
  async turnAway(one: Dialled, meant: boolean, signal: AbortSignal): Promise<number | null> {
    this.#close(one);
    if (one.lingers && !meant) one.beside = Math.max(one.beside, 1);
    if (one.beside === 0 && this.#undecided.size > 0) await this.#waitForOthers(one, signal);
    if (one.beside === 0) return signal.aborted ? Infinity : null;
    return Math.max(one.beside, this.#standing + this.#undecided.size);
  }

  /** It has ended, whatever came of it. */
  end(one: Dialled, now: number): void {
    if (one.state === 'let_in') {
      this.#standing -= 1;
      this.#lastEndAt = now;
    }
    this.#close(one);
  }

  #close(one: Dialled): void {
    one.state = 'over';
    if (!this.#undecided.delete(one)) return;
    for (const waiter of this.#waiters) if (waiter.others.delete(one) && waiter.others.size === 0) waiter.settle();
  }

  #waitForOthers(one: Dialled, signal: AbortSignal): Promise<void> {
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
