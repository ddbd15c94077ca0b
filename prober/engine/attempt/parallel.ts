import type { RecipientProbe } from './recipient.ts';
import type { RecipientSource } from './recipient-queue.ts';
import { isSentAway } from '../smtp/failure.ts';
import type { Fate, Held } from '../site/held-session.ts';
import type { HostProbe } from './host-probe.ts';
import { howItWent, isPlain, judgedIn, judges } from './trust.ts';

// A server that makes a client wait is asked in a few parallel sessions. The first of them is the visit's own and
// continues as usual; the others are extra. What they learn counts only if it would in any session: that they cannot
// connect, or are rejected, may be because of the others, so it is no evidence.

/** Sessions besides the visit's own. Courier allows one client five by default. */
const PARALLEL_MAX = 4;

export class ParallelSessions {
  readonly #host: HostProbe;
  /** Each works through one session after the other. */
  readonly #workers: Promise<void>[] = [];
  #atWork = 0;
  #max = PARALLEL_MAX;
  #bug: { readonly error: unknown } | null = null;

  constructor(host: HostProbe) {
    this.#host = host;
  }

  /** `dismissed`: some are running, and no more are wanted. */
  get state(): 'none' | 'at_work' | 'dismissed' {
    if (this.#atWork === 0) return 'none';
    return this.#max === 0 ? 'dismissed' : 'at_work';
  }

  /** Starts as many as allowed, including those running, and no more than there are recipients left. */
  call(): void {
    for (let { left } = this.#host.waiting; left > 0 && this.#atWork < this.#max; left -= 1) {
      this.#atWork += 1;
      this.#workers.push(this.#work());
    }
  }

  /** A session failed beside others: there is one fewer from now on, or none if the server complained. */
  lessen(hasComplained: boolean): void {
    this.#max = hasComplained ? 0 : Math.max(0, this.#max - 1);
  }

  /** Waits until none is running. Throws what one of them threw: a bug. */
  async done(): Promise<void> {
    while (this.#workers.length > 0) await this.#workers.pop();
    if (this.#bug !== null) throw this.#bug.error;
  }

  async #work(): Promise<void> {
    try {
      let goesOn = true;
      while (goesOn && this.#atWork <= this.#max) goesOn = await this.#askInSession();
    } catch (error) {
      this.#bug ??= { error };
    } finally {
      this.#atWork -= 1;
    }
  }

  /** One session for recipients that wait for the visit's own. @returns whether another may follow */
  async #askInSession(): Promise<boolean> {
    const { sessions, probe, target, waiting } = this.#host;
    const isNeeded = (): boolean => this.#host.waiting.left > 0;
    if (waiting.left === 0) return false;
    const held = await sessions.acquire(probe, target, {
      use: 'own',
      early: false,
      helps: { isNeeded },
    });
    if (held.kind === 'open') return this.#ask(held);
    if (isNeeded()) this.lessen(isSentAway(held));
    return false;
  }

  async #ask(held: Held): Promise<boolean> {
    const host = this.#host;
    const { session, permit } = held;
    const recipients: RecipientProbe[] = [];
    const queue: RecipientSource = {
      get left() {
        return host.waiting.left;
      },
      next: () => host.lend(recipients),
    };
    let fate: Fate = 'destroy';
    try {
      const result = await host.ask(session, {
        queue,
        smtpUtf8: false,
        continues: false,
        permit,
        madeUp: 'known',
        test: null,
      });
      const { answers, ending } = result;
      if (ending.kind !== 'silent' && ending.kind !== 'void') fate = 'quit';
      host.report(held, howItWent(session.complaint, judges(result)));
      const isTrusted = isPlain(result);
      host.hear(isTrusted ? result : judgedIn(result));
      // The batch has ended: for recipients without an answer it came too late.
      if (isTrusted && ending.kind === 'silent')
        host.conclude({ kind: 'asked', ending, recipients, answered: answers.length, refusedAlike: null });
      if (isTrusted) return true;
      host.clientRefusals.startOver();
      this.lessen(session.complaint !== null);
      return false;
    } finally {
      host.giveBack(recipients);
      host.sessions.release(held, fate);
    }
  }
}
