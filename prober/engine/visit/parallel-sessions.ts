import type { HostProbe } from './host-probe.ts';
import type { Parallel } from './visit-step.ts';
import { askInParallel } from './parallel-session.ts';
import { pauseAfter } from './pause.ts';

// A server that makes a client wait is asked in a few sessions at once. The first of them is the visit's own and goes on
// as ever; the others run in parallel to it. What these hear counts only if it would in any session: that they cannot
// connect, or are sent away, may be because of the others, so it is evidence of nothing.

/** Sessions beside the visit's own. Five in all are what Courier lets one client have by default. */
export const PARALLEL_MAX = 4;
/** Sessions in a row that came to nothing before there is one fewer. */
const FAILURES_MAX = 4;

/** The sessions in parallel to one visit's own. */
export class ParallelSessions {
  readonly #host: HostProbe;
  /** Each works through one session after the other. */
  readonly #workers = new Set<Promise<void>>();
  #max = PARALLEL_MAX;
  #ownFailures = 0;
  #bug: { readonly error: unknown } | null = null;

  constructor(host: HostProbe) {
    this.#host = host;
  }

  get state(): Parallel {
    if (this.#workers.size === 0) return 'none';
    return this.#max === 0 ? 'dismissed' : 'at_work';
  }

  /** Sets as many to work as there may be, those at work included. */
  call(): void {
    while (this.#workers.size < this.#max) {
      const work = this.#work().finally(() => this.#workers.delete(work));
      this.#workers.add(work);
    }
  }

  /** The server bears no more than one session: those at work end with the session that they have, and no more are called. */
  dismiss(): void {
    this.#max = 0;
  }

  /** How the visit's own session went meanwhile. Waits a little if it came to nothing: it may be tried again. */
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
    while (this.#workers.size > 0) await Promise.all(this.#workers);
    if (this.#bug !== null) throw this.#bug.error;
  }

  async #work(): Promise<void> {
    try {
      for (let failures = 0; failures < FAILURES_MAX;) {
        const result = await askInParallel(this.#host);
        if (result === 'sent_away') this.dismiss();
        if (result === 'idle' || this.#workers.size > this.#max) return;
        failures = result === 'failed' ? failures + 1 : 0;
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
    const { tools, job } = this.#host.probe;
    return pauseAfter(failures, tools.ports.clock, job.signal);
  }
}
