import type { Account } from '../ports/ports.ts';
import { Bound } from './concurrency-limit.ts';
import { CoolDown } from './cool-down.ts';
import type { Spacing } from './rate-limit.ts';
import { type Place, Standings } from './fair-share.ts';

/** One bound that a connection has to pass: so many at once, starts spaced in time, and rests. */
export class Height<Line> {
  readonly coolDown = new CoolDown();
  readonly spacing: Spacing | null;
  /** Lines that have to pass here, wherever they stand. */
  lines = 0;
  readonly #bound: Bound;
  readonly #standings = new Standings<Account, Line>();
  #wake: { readonly at: number; readonly cancel: () => void } | null = null;

  /** @param bound connections at once */
  constructor(bound: number, spacing: Spacing | null = null) {
    this.#bound = new Bound(bound);
    this.spacing = spacing;
  }

  get held(): number {
    return this.#standings.held;
  }

  free(now: number): number {
    return this.#bound.at(now) - this.#standings.held;
  }

  /** Lets in no more than so many at once, until it is seen that there may be more. */
  narrow(to: number, now: number): void {
    this.#bound.narrow(to, now);
  }

  /** Nobody holds a place or is on the way to one. */
  get isUnused(): boolean {
    return this.#standings.held === 0 && this.lines === 0;
  }

  /** Nothing would be different if it were new. */
  isForgettable(now: number): boolean {
    return (
      this.isUnused &&
      this.#bound.isWhole(now) &&
      this.spacing?.isForgettable(now) !== false &&
      this.coolDown.isForgettable(now)
    );
  }

  /** When it lets the next one pass, in the clock's milliseconds; Infinity while it is full: not before somebody leaves. */
  get opensAt(): number {
    return Math.max(this.#bound.exceeds(this.#standings.held), this.coolDown.until, this.spacing?.readyAt ?? 0);
  }

  take(account: Account, now: number): void {
    this.#standings.give(account);
    this.spacing?.start(now);
  }

  giveBack(account: Account): void {
    this.#standings.takeBack(account);
  }

  join(account: Account, line: Line): Place<Account, Line> {
    return this.#standings.join(account, line);
  }

  leave(place: Place<Account, Line>): void {
    this.#standings.leave(place);
  }

  /** Whose turn it is; null if nobody stands here. */
  next(): Line | null {
    return this.#standings.next()?.item ?? null;
  }

  passOver(account: Account): void {
    this.#standings.passOver(account);
  }

  lineUp(account: Account): void {
    this.#standings.lineUp(account);
  }

  /** Calls `serve` when it opens by itself, if anybody stands here; when it is full, whoever leaves does. */
  arm(now: number, after: (delayMs: number, run: () => void) => () => void, serve: () => void): void {
    const at = this.next() === null ? Infinity : this.opensAt;
    if (this.#wake?.at === at) return;
    this.#wake?.cancel();
    this.#wake = null;
    if (at === Infinity || at <= now) return;
    const cancel = after(Math.max(1, Math.ceil(at - now)), () => {
      this.#wake = null;
      serve();
    });
    this.#wake = { at, cancel };
  }
}
