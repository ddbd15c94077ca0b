import type { Clock } from '../ports/ports.ts';

/** Who wants a session. */
export type Rider<Held> = {
  /** Whether this one will do. */
  readonly fits: (held: Held) => boolean;
  /** It is theirs, from this moment on. */
  readonly take: (held: Held) => void;
};

/** Who waits for a session, or for room for another. */
export type Patient<Held> = Rider<Held> & {
  /** Takes none that gets free. */
  readonly isOwn: boolean;
  /** Whether there is room for another, asked when patience is at its end. */
  readonly hasRoom: () => boolean;
  /** Another is to be opened. */
  readonly open: () => void;
};

type Waiter<Held> = Patient<Held> & { readonly settle: (held: Held | null) => void };

/** Who waits for a session at one address: for one that gets free or for room for another, or for the limits to open another. */
export class Waiters<Held> {
  readonly #clock: Clock;
  readonly #patienceMs: number;
  readonly #waiting = new Set<Waiter<Held>>();
  readonly #riders = new Set<Rider<Held>>();

  /** @param patienceMs a session that gets free is waited for this long; then another may be opened */
  constructor(clock: Clock, patienceMs: number) {
    this.#clock = clock;
    this.#patienceMs = patienceMs;
  }

  /** Those who wait for room. */
  get size(): number {
    return this.#waiting.size;
  }

  /** @returns the session that it was given; null: another is to be opened */
  wait(who: Patient<Held>, signal: AbortSignal): Promise<Held | null> {
    return new Promise((resolve) => {
      const settle = (held: Held | null): void => {
        this.#waiting.delete(waiter);
        cancel();
        signal.removeEventListener('abort', giveUp);
        if (held === null) who.open();
        else who.take(held);
        resolve(held);
      };
      const giveUp = (): void => settle(null);
      const hurry = (): void => {
        if (who.hasRoom()) giveUp();
      };
      const waiter: Waiter<Held> = { ...who, settle };
      const cancel = this.#clock.after(this.#patienceMs, hurry);
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.add(waiter);
    });
  }

  /** One that opens a session, and takes one that gets free before. @returns a function that ends that */
  addRider(rider: Rider<Held>): () => void {
    this.#riders.add(rider);
    return () => this.#riders.delete(rider);
  }

  /** Gives a session that is free to whom it fits, first of all to those who have waited longest. @returns whether it did */
  give(held: Held): boolean {
    for (const rider of this.#riders) {
      if (!rider.fits(held)) continue;
      this.#riders.delete(rider);
      rider.take(held);
      return true;
    }
    for (const waiter of this.#waiting) {
      if (!waiter.fits(held)) continue;
      waiter.settle(held);
      return true;
    }
    return false;
  }

  /** There is room for another session: one who waits opens it, first of all one that takes no other. */
  letOpen(): void {
    const waiters = [...this.#waiting];
    (waiters.find(({ isOwn }) => isOwn) ?? waiters[0])?.settle(null);
  }
}
