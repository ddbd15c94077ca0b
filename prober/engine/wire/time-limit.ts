import type { Clock } from '../ports/ports.ts';

/**
 * The one signal that all waits of a session share: it fires when the wait under way has taken too long, or when the
 * batch ends. One timer serves the whole session: a wait only moves the due time, and the timer looks when it wakes.
 */
export class TimeLimit {
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #clock: Clock;
  readonly #parent: AbortSignal;
  readonly #onParent = (): void => this.#controller.abort();
  #allowedAt = -Infinity;
  #dueAt = Infinity;
  #wakesAt = Infinity;
  #cancel: (() => void) | null = null;
  #expired = false;

  constructor(clock: Clock, parent: AbortSignal) {
    this.#clock = clock;
    this.#parent = parent;
    this.signal = this.#controller.signal;
    if (parent.aborted) this.#controller.abort();
    else parent.addEventListener('abort', this.#onParent, { once: true });
  }

  /** The wait took too long; false if the batch ended. */
  get expired(): boolean {
    return this.#expired;
  }

  /** How long the wait under way has lasted. */
  get waitedMs(): number {
    return this.#clock.now() - this.#allowedAt;
  }

  /** Whether the wait under way is over, even if a busy peer kept the timer from running. */
  isOver(): boolean {
    if (!this.#controller.signal.aborted && this.#clock.now() >= this.#dueAt) this.#expire();
    return this.#controller.signal.aborted;
  }

  /** The next wait may last this long from now. */
  allow(waitMs: number): void {
    this.#allowedAt = this.#clock.now();
    this.#dueAt = this.#allowedAt + waitMs;
    if (this.#dueAt < this.#wakesAt) this.#arm();
  }

  /** No more waits: frees the timer. */
  end(): void {
    this.#cancel?.();
    this.#parent.removeEventListener('abort', this.#onParent);
  }

  #arm(): void {
    this.#cancel?.();
    this.#wakesAt = this.#dueAt;
    this.#cancel = this.#clock.after(Math.max(0, this.#dueAt - this.#clock.now()), () => this.#wake());
  }

  #wake(): void {
    if (this.#clock.now() < this.#dueAt) this.#arm();
    else this.#expire();
  }

  #expire(): void {
    this.#expired = true;
    this.#controller.abort();
  }
}
