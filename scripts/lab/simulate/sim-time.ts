import { AsyncLocalStorage } from 'node:async_hooks';

/** Whose timers these are: what was reset or killed does nothing any more. `timers`: how many it waits for. */
export type Owner = { alive: boolean; timers: number };
type Due = { readonly at: number; readonly order: number; readonly run: () => void; cancelled: boolean };

/** Wall-clock time at the beginning of every run. */
const EPOCH_MS = Date.UTC(2026, 10, 21);
const realImmediate = setImmediate;

/** The one clock of a run. What falls due at the same moment happens in the order in which it was asked for. */
export class SimTime {
  #now = 0;
  #order = 0;
  /** By time, the next at the end. */
  readonly #queue: Due[] = [];
  readonly #owners = new AsyncLocalStorage<Owner>();

  now(): number {
    return this.#now;
  }

  wallClock(): number {
    return EPOCH_MS + Math.floor(this.#now);
  }

  after(delayMs: number, run: () => void): () => void {
    const due: Due = { at: this.#now + Math.max(0, delayMs), order: (this.#order += 1), run, cancelled: false };
    let low = 0;
    let high = this.#queue.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#queue[middle];
      if (other !== undefined && other.at > due.at) low = middle + 1;
      else high = middle;
    }
    this.#queue.splice(low, 0, due);
    return () => {
      due.cancelled = true;
    };
  }

  /** Runs something, and all timers that it sets, for an owner. */
  as<T>(owner: Owner, run: () => T): T {
    return this.#owners.run(owner, run);
  }

  /** Lets time pass until this moment. */
  async runUntil(untilMs: number): Promise<void> {
    await settle();
    for (let due = this.#queue.at(-1); due !== undefined && due.at <= untilMs; due = this.#queue.at(-1)) {
      this.#queue.pop();
      if (due.cancelled) continue;
      this.#now = Math.max(this.#now, due.at);
      due.run();
      await settle();
    }
    this.#now = Math.max(this.#now, untilMs);
  }

  /** From now on the platform's timers and clock are these. */
  install(): void {
    const set = (run: () => void, delayMs = 0): (() => void) => {
      const owner = this.#owners.getStore();
      if (owner === undefined) return this.after(delayMs, run);
      let isDue = true;
      const over = (): boolean => {
        if (isDue) owner.timers -= 1;
        return isDue && !(isDue = false);
      };
      owner.timers += 1;
      const cancel = this.after(delayMs, () => {
        if (over() && owner.alive) this.#owners.run(owner, run);
      });
      return () => {
        over();
        cancel();
      };
    };
    Object.defineProperty(globalThis, 'setTimeout', { value: set, configurable: true, writable: true });
    Object.defineProperty(globalThis, 'clearTimeout', { value: cancelTimer, configurable: true, writable: true });
    Object.defineProperty(Date, 'now', { value: () => this.wallClock(), configurable: true, writable: true });
  }
}

/** A timer of ours is the function that cancels it. */
function cancelTimer(cancel: (() => void) | undefined): void {
  cancel?.();
}

/** Everything that needs no time has happened: all of it is microtasks, since the stand-ins answer at once. */
function settle(): Promise<void> {
  return new Promise((resolve) => realImmediate(resolve));
}
