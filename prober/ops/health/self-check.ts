import type { Clock } from '../../engine/ports/ports.ts';
import type { Canary } from '../../../schema/link.ts';
import type { Log } from '../../base/log.ts';
import type { Check } from './canaries.ts';

export type SelfCheckTimings = {
  readonly everyMs: number;
  /** A check that takes longer has failed. */
  readonly withinMs: number;
  /** For this long after a check its result decides whether evidence that a broken host would give too is believed. */
  readonly freshMs: number;
};

export const SELF_CHECK_TIMINGS: SelfCheckTimings = { everyMs: 60_000, withinMs: 5_000, freshMs: 5_000 };

export type SelfCheckDeps = {
  /** Null: there are no canaries, and the host always believes itself. */
  readonly ask: ((signal: AbortSignal) => Promise<Check>) | null;
  /** Whether the check covers all that a host needs. */
  readonly complete: boolean;
  readonly clock: Clock;
  readonly timings: SelfCheckTimings;
  readonly log: Log;
  readonly onChange: () => void;
};

/** Knows whether this host can work: it checks each minute, and at once when evidence is in doubt. */
export class SelfCheck {
  readonly #deps: SelfCheckDeps;
  #healthy = true;
  #failing: readonly Canary[] = [];
  #checkedAt = Number.NEGATIVE_INFINITY;
  #failed = 0;
  #running: Promise<boolean> | null = null;

  constructor(deps: SelfCheckDeps) {
    this.#deps = deps;
  }

  get healthy(): boolean {
    return this.#healthy;
  }

  /** What the last check failed at. */
  get failing(): readonly Canary[] {
    return this.#failing;
  }

  /** Whether a check has proven all that a host needs. Without canaries nothing has. */
  get checked(): boolean {
    return this.#deps.complete && this.#healthy && this.#checkedAt !== Number.NEGATIVE_INFINITY;
  }

  /** How many checks have failed since the start: what was seen while this grew is in doubt. */
  get failed(): number {
    return this.#failed;
  }

  /** Begins to check, now and every minute. @returns the first result */
  start(): Promise<boolean> {
    if (this.#deps.ask === null) return Promise.resolve(true);
    const { clock, timings } = this.#deps;
    clock.after(timings.everyMs, () => void this.start());
    return this.#check();
  }

  /** Whether the host can be believed at this moment. One check serves all who ask at the same time. */
  confirm(): Promise<boolean> {
    const { ask, clock, timings } = this.#deps;
    if (ask === null) return Promise.resolve(true);
    if (clock.now() - this.#checkedAt <= timings.freshMs) return Promise.resolve(this.#healthy);
    return this.#check();
  }

  #check(): Promise<boolean> {
    this.#running ??= this.#ask().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #ask(): Promise<boolean> {
    const { ask, clock, timings, log, onChange } = this.#deps;
    if (ask === null) return true;
    const stop = new AbortController();
    const cancel = clock.after(timings.withinMs, () => stop.abort());
    const check = await ask(stop.signal).finally(cancel);
    const healthy = check.failures.length === 0;
    this.#checkedAt = clock.now();
    if (!healthy) this.#failed += 1;
    const wasFailing = this.#failing;
    this.#failing = check.failures;
    if (healthy !== this.#healthy || wasFailing.join(' ') !== check.failures.join(' ')) {
      this.#healthy = healthy;
      log(healthy ? 'healthy' : 'unhealthy', {
        failures: check.failures.join(' '),
        families: check.families.join(' '),
      });
      onChange();
    }
    return healthy;
  }
}
