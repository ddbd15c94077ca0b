import type { Clock } from '../ports/ports.ts';
import { pauseAfter } from './pause.ts';

// A server that lets a client wait is asked in a few sessions side by side. The first of them is the visit's own and goes
// on as ever; the others help. What a helper hears counts only if it would in any session: that it cannot connect, or is sent
// away, may be because of the others, so it is evidence of nothing.

/** Sessions beside the visit's own. Five in all are what Courier lets one client have by default. */
export const HELPERS_MAX = 4;
/** Sessions in a row that came to nothing before there is one helper less. */
const FAILURES_MAX = 4;

/** What one session of a helper came to. `sent_away`: the server complained of us. `idle`: there was nobody to ask about. */
export type Helped = 'helped' | 'failed' | 'sent_away' | 'idle';

/** The helpers of one visit. */
export class Helpers {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #help: () => Promise<Helped>;
  readonly #atWork = new Set<Promise<void>>();
  #max = HELPERS_MAX;
  #ownFailures = 0;
  #bug: { readonly error: unknown } | null = null;

  /**
   * @param signal ends their pauses
   * @param help one session, from dialling to its end
   */
  constructor(clock: Clock, signal: AbortSignal, help: () => Promise<Helped>) {
    this.#clock = clock;
    this.#signal = signal;
    this.#help = help;
  }

  get areAtWork(): boolean {
    return this.#atWork.size > 0;
  }

  /** The visit's own session is the only one that the server bears. */
  get areDismissed(): boolean {
    return this.#max === 0;
  }

  /** As many as there may be set to work, those that have work already apart. */
  call(): void {
    while (this.#atWork.size < this.#max) {
      const work = this.#work().finally(() => this.#atWork.delete(work));
      this.#atWork.add(work);
    }
  }

  /** The server has had enough of so many: those at work end with the session that they have, and no more are called. */
  dismiss(): void {
    this.#max = 0;
  }

  /** How the visit's own session went while they were at work. Waits a little if it came to nothing: it may be tried again. */
  async noteOwn(how: 'served' | 'failed'): Promise<void> {
    this.#ownFailures = how === 'failed' ? this.#ownFailures + 1 : 0;
    if (this.#ownFailures === FAILURES_MAX) {
      this.#ownFailures = 0;
      this.#lessen();
    }
    if (how === 'failed') await this.#pause(this.#ownFailures);
  }

  /** Waits until none is at work. Throws what one of them threw: a bug. */
  async done(): Promise<void> {
    while (this.areAtWork) await Promise.all(this.#atWork);
    if (this.#bug !== null) throw this.#bug.error;
  }

  async #work(): Promise<void> {
    try {
      for (let failures = 0; failures < FAILURES_MAX;) {
        const helped = await this.#help();
        if (helped === 'sent_away') this.dismiss();
        if (helped === 'idle' || this.#atWork.size > this.#max) return;
        failures = helped === 'failed' ? failures + 1 : 0;
        if (failures > 0) await this.#pause(failures);
      }
      this.#lessen();
    } catch (error) {
      this.#bug ??= { error };
    }
  }

  /** Those who are too many end with the session that they have. */
  #lessen(): void {
    this.#max = Math.max(0, this.#max - 1);
  }

  #pause(failures: number): Promise<void> {
    return pauseAfter(failures, this.#clock, this.#signal);
  }
}
