import { Cancel, type Ends, pause } from '../../ports/cancel.ts';
import type { Clock } from '../../ports/ports.ts';

/** Why a wait ended without an answer: it took too long, or the batch ended. */
export type WaitEnd = 'timeout' | 'ended';

/** Ends the waits of a session. One timer serves all: a wait moves the due time, which is checked when it fires. */
export class TimeLimit extends Cancel {
  why: WaitEnd = 'ended';
  readonly #clock: Clock;
  #parent: Ends | null = null;
  readonly #onParent = (): void => this.cancel();
  #allowedAt = -Infinity;
  #dueAt = Infinity;
  #wakesAt = Infinity;
  #disarm: (() => void) | null = null;

  constructor(clock: Clock, parent: Ends) {
    super();
    this.#clock = clock;
    this.follow(parent);
  }

  /** The session ends with this from now on. @param parent null: with nothing, while there is no wait */
  follow(parent: Ends | null): void {
    this.#parent?.removeEventListener('abort', this.#onParent);
    this.#parent = parent;
    this.#dueAt = Infinity;
    if (parent?.aborted === true) this.cancel();
    else parent?.addEventListener('abort', this.#onParent);
  }

  get now(): number {
    return this.#clock.now();
  }

  get waitedMs(): number {
    return this.#clock.now() - this.#allowedAt;
  }

  /** Whether the current wait is over, even if a busy peer kept the timer from firing. */
  isOver(): boolean {
    if (!this.aborted && this.#clock.now() >= this.#dueAt) {
      this.why = 'timeout';
      this.cancel();
    }
    return this.aborted;
  }

  /** The next wait may last this long from now. */
  allow(waitMs: number): void {
    this.#allowedAt = this.#clock.now();
    this.#dueAt = this.#allowedAt + waitMs;
    if (this.#dueAt < this.#wakesAt) this.#sleep();
  }

  /** Over after this time, or when the session ends. */
  pause(forMs: number): Promise<void> {
    return pause(this.#clock, forMs, this);
  }

  end(): void {
    this.#disarm?.();
    this.#parent?.removeEventListener('abort', this.#onParent);
  }

  #sleep(): void {
    this.#disarm?.();
    this.#wakesAt = this.#dueAt;
    this.#disarm = this.#clock.after(Math.max(0, this.#dueAt - this.#clock.now()), () => {
      this.#wakesAt = Infinity;
      if (!this.isOver() && this.#dueAt < Infinity) this.#sleep();
    });
  }
}
