import type { Ends } from '../ports/cancel.ts';
import type { Clock } from '../ports/ports.ts';
import type { SessionResult } from '../limits/permit.ts';
import type { RecipientProbe } from '../recipients/recipient-probe.ts';
import type { RecipientSource } from '../recipients/recipient-queue.ts';
import { isSentAway } from '../session/session-failure.ts';
import type { Held } from '../pool/held-session.ts';
import { consequenceOf, NO_TALLY } from './consequence.ts';
import type { HostProbe } from './host-probe.ts';
import { howItWent, isPlain, judgedIn, judges } from './trust.ts';

// A server that makes a client wait is asked in a few parallel sessions. The first of them is the visit's own and
// continues as usual; the others are extra. What they learn counts only if it would in any session: that they cannot
// connect, or are rejected, may be because of the others, so it is no evidence.

/** Sessions besides the visit's own. Courier allows one client five by default. */
const PARALLEL_MAX = 4;
/** A server may take a while to notice that a connection has ended, and refuse the next one until then. */
const AGAIN_AFTER_MS = 250;

/**
 * The result of one parallel session. `sent_away`: the server complained about us, or others want the slot. `idle`:
 * there was no one to ask about.
 */
type Result = 'asked' | 'failed' | 'sent_away' | 'idle';

/** The sessions in parallel to a visit's own. */
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

  /** Asked first, since a wait for none costs each domain two promises. */
  get wereCalled(): boolean {
    return this.#workers.length > 0 || this.#bug !== null;
  }

  /** Starts as many as allowed, including those running, and no more than there are recipients left. */
  call(): void {
    for (let { left } = this.#host.waiting; left > 0 && this.#atWork < this.#max; left -= 1) {
      this.#atWork += 1;
      this.#workers.push(this.#work().finally(() => (this.#atWork -= 1)));
    }
  }

  /**
   * The visit's own session failed beside them, or one of them did: from now on there is one fewer. Surplus ones stop
   * after their current session.
   */
  lessen(): void {
    this.#max = Math.max(0, this.#max - 1);
  }

  /** The server allows only one session: the running ones stop after their current session, and no more are started. */
  dismiss(): void {
    this.#max = 0;
  }

  /** Waits until none is running. Throws what one of them threw: a bug. */
  async done(): Promise<void> {
    while (this.#workers.length > 0) await this.#workers.pop();
    if (this.#bug !== null) throw this.#bug.error;
  }

  async #work(): Promise<void> {
    try {
      let result: Result;
      do {
        result = await askInParallel(this.#host);
      } while (result === 'asked' && this.#atWork <= this.#max);
      if (result === 'sent_away') this.dismiss();
      if (result === 'failed') this.lessen();
    } catch (error) {
      this.#bug ??= { error };
    }
  }
}

/** Waits before a retry; no longer than the batch lasts. */
export function pause(clock: Clock, signal: Ends): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      cancel();
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const cancel = clock.after(AGAIN_AFTER_MS, wake);
    if (signal.aborted) wake();
    else signal.addEventListener('abort', wake);
  });
}

/** One session for recipients that wait for the visit's own. */
async function askInParallel(host: HostProbe): Promise<Result> {
  const { sessions, probe, target } = host;
  const isNeeded = (): boolean => host.waiting.left > 0;
  if (!isNeeded()) return 'idle';
  const held = await sessions.acquire(probe, target, {
    use: 'own',
    forMadeUp: false,
    early: false,
    helps: { isNeeded },
  });
  if (held.kind === 'open') return ask(host, held);
  if (!isNeeded()) return 'idle';
  return isSentAway(held) ? 'sent_away' : 'failed';
}

async function ask(host: HostProbe, held: Held): Promise<Result> {
  const { session, permit } = held;
  const recipients: RecipientProbe[] = [];
  const queue: RecipientSource = {
    get left() {
      return host.waiting.left;
    },
    next: () => host.lend(recipients),
  };
  let sessionResult: SessionResult = 'neutral';
  let isSilent = true;
  try {
    const result = await host.ask(session, { queue, smtpUtf8: false, permit, madeUp: 'known', test: null });
    const { answers, ending } = result;
    isSilent = ending.kind === 'silent';
    const isTrusted = isPlain(result);
    if (!isTrusted) host.clientRefusals.startOver();
    host.hear(isTrusted ? result : judgedIn(result));
    // The batch has ended: for recipients without an answer it came too late.
    if (isTrusted && isSilent)
      host.blame(
        consequenceOf({ kind: 'asked', ending, recipients, answered: answers.length, refusedAlike: null }, NO_TALLY),
      );
    sessionResult = howItWent(session.complaint, judges(result));
    if (isTrusted) return 'asked';
    return session.complaint === null ? 'failed' : 'sent_away';
  } finally {
    host.giveBack(recipients);
    host.sessions.release(held, isSilent ? 'destroy' : 'quit', sessionResult);
  }
}
