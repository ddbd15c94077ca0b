import type { Clock } from '../../../prober/engine/ports/ports.ts';

/** A clock of whole milliseconds: what falls due in the same one happens together, so that millions of timers cost little. */
export class CoarseClock implements Clock {
  #now = 0;
  readonly #due = new Map<number, Array<{ run: (() => void) | null }>>();

  now(): number {
    return this.#now;
  }

  after(delayMs: number, run: () => void): () => void {
    const at = this.#now + Math.max(0, Math.ceil(delayMs));
    const timer: { run: (() => void) | null } = { run };
    const timers = this.#due.get(at);
    if (timers === undefined) this.#due.set(at, [timer]);
    else timers.push(timer);
    return () => {
      timer.run = null;
    };
  }

  /** Lets time pass until this moment, all that waits for promises included. */
  async run(untilMs: number): Promise<void> {
    for (; this.#now < untilMs; this.#now += 1)
      for (let timers = this.#take(); timers !== undefined; timers = this.#take()) {
        for (const timer of timers) timer.run?.();
        await new Promise((resolve) => setImmediate(resolve));
      }
  }

  #take(): ReadonlyArray<{ readonly run: (() => void) | null }> | undefined {
    const timers = this.#due.get(this.#now);
    this.#due.delete(this.#now);
    return timers;
  }
}
