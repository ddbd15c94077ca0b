import type { Account, Clock } from '../ports/ports.ts';
import type { Fate, Held } from './held-session.ts';
import type { IdleBound } from './idle-bound.ts';

type Idle = { readonly cancel: () => void; readonly quit: () => void };

export type IdleSessionsOptions = {
  readonly account: Account;
  readonly clock: Clock;
  readonly bound: IdleBound;
  /** One of them ends. */
  readonly end: (held: Held, fate: Fate) => void;
};

/**
 * The sessions of one account at one address that nobody uses. Each ends after its time; at the first byte that its server
 * sends; when somebody waits for its place; and when there are too many.
 */
export class IdleSessions {
  readonly #of: IdleSessionsOptions;
  /** The longest idle first. */
  readonly #idle = new Map<Held, Idle>();

  constructor(of: IdleSessionsOptions) {
    this.#of = of;
  }

  latestFirst(): readonly Held[] {
    return [...this.#idle.keys()].toReversed();
  }

  keep(held: Held, forMs: number): void {
    const { account, clock, bound } = this.#of;
    const quit = (): void => this.end(held);
    this.#idle.set(held, { quit, cancel: clock.after(forMs, quit) });
    // Ends once the limits are not at work any more: what it sets free serves those who wait.
    const recall = (): void => {
      if (this.#drop(held)) void Promise.resolve().then(() => this.#of.end(held, 'quit'));
    };
    held.permit.holds({ waitedMs: Infinity, recall, isIdle: true });
    held.session.wire.rest(() => this.end(held, 'destroy'));
    bound.add(account, quit);
  }

  /** It is used again. */
  take(held: Held): Held {
    this.#remove(held);
    return held;
  }

  end(held: Held, fate: Fate = 'quit'): void {
    if (this.#drop(held)) this.#of.end(held, fate);
  }

  /** Makes room for another. */
  endLongest(): void {
    const [longest] = this.#idle.keys();
    if (longest !== undefined) this.end(longest);
  }

  #drop(held: Held): boolean {
    if (!this.#remove(held)) return false;
    held.watch?.idled();
    return true;
  }

  #remove(held: Held): boolean {
    const idle = this.#idle.get(held);
    if (idle === undefined) return false;
    const { account, bound } = this.#of;
    idle.cancel();
    this.#idle.delete(held);
    bound.remove(account, idle.quit);
    held.permit.holds(held.session.wire);
    return true;
  }
}
