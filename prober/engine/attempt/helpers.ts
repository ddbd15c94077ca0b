import { isSentAway } from '../smtp/failure.ts';
import type { Asked, Fate, Held } from '../site/worker.ts';
import type { Findings } from './findings.ts';
import { howItWent, isPlain, judgedIn, judges } from './next-step.ts';
import type { RecipientProbe } from '../recipients/recipient.ts';
import type { RecipientSource } from '../recipients/recipient-queue.ts';

/** Sessions besides the attempt's own. Courier allows one client five by default. */
const HELPERS_MAX = 4;

/**
 * A server that makes a client wait is asked by a few workers at a time. The first is the attempt's own and continues as
 * usual; the others help. What they learn counts only if it would in any session: that they cannot connect, or are
 * rejected, may be because of the others, so it is no evidence.
 */
export class Helpers {
  readonly #findings: Findings;
  readonly #onEnd: () => void;
  #atWork = 0;
  #max = HELPERS_MAX;
  #bug: { readonly error: unknown } | null = null;
  #whenNone: (() => void) | null = null;

  /** @param onEnd one has ended */
  constructor(findings: Findings, onEnd: () => void) {
    this.#findings = findings;
    this.#onEnd = onEnd;
  }

  /** `dismissed`: some are running, and no more are wanted. */
  get state(): 'none' | 'at_work' | 'dismissed' {
    if (this.#atWork === 0) return 'none';
    return this.#max === 0 ? 'dismissed' : 'at_work';
  }

  /** Starts as many as allowed, including those running, and no more than there are recipients left. */
  call(): void {
    for (let { left } = this.#findings.waiting; left > 0 && this.#atWork < this.#max; left -= 1) {
      this.#atWork += 1;
      this.#begin();
    }
  }

  /** A session failed beside others: there is one fewer from now on, or none if the server complained. */
  lessen(hasComplained: boolean): void {
    this.#max = hasComplained ? 0 : Math.max(0, this.#max - 1);
  }

  /** Waits until none is running. Throws what one of them threw: a bug. */
  async done(): Promise<void> {
    if (this.#atWork > 0) await new Promise<void>((resolve) => (this.#whenNone = resolve));
    if (this.#bug !== null) throw this.#bug.error;
  }

  /** One session for recipients that wait for the attempt's own. */
  #begin(): void {
    const { site, probe, target } = this.#findings;
    const isNeeded = (): boolean => this.#findings.waiting.left > 0;
    if (!isNeeded() || this.#atWork > this.#max) return this.#ended();
    site.add({
      asker: probe,
      target,
      isOwn: true,
      helps: { isNeeded },
      had: [],
      ask: (held) => this.#ask(held),
      fail: (none) => {
        if (isNeeded()) this.lessen(isSentAway(none));
        this.#ended();
      },
      crash: (error) => {
        this.#bug ??= { error };
        this.#ended();
      },
    });
  }

  #ended(): void {
    this.#atWork -= 1;
    if (this.#atWork === 0) this.#whenNone?.();
    this.#onEnd();
  }

  /** Asks in one session, and then, if that was trusted, in another. */
  async #ask(held: Held): Promise<Asked> {
    try {
      const { isTrusted, fate } = await this.#askIn(held);
      return { fate, goOn: () => (isTrusted ? this.#begin() : this.#ended()) };
    } catch (error) {
      this.#bug ??= { error };
      return { fate: 'destroy', goOn: () => this.#ended() };
    }
  }

  async #askIn({ session, permit, watch }: Held): Promise<{ readonly isTrusted: boolean; readonly fate: Fate }> {
    const findings = this.#findings;
    const recipients: RecipientProbe[] = [];
    const queue: RecipientSource = {
      get left() {
        return findings.waiting.left;
      },
      next: () => findings.lend(recipients),
    };
    try {
      const plan = { queue, smtpUtf8: false, continues: false, permit, madeUp: 'known', test: null } as const;
      const result = await findings.ask(session, plan);
      const { answers, ending } = result;
      findings.report({ permit, watch }, howItWent(session.complaint, judges(result)));
      const isTrusted = isPlain(result);
      findings.hear(isTrusted ? result : judgedIn(result));
      // The batch has ended: for recipients without an answer it came too late.
      if (isTrusted && ending.kind === 'silent')
        findings.conclude({ kind: 'asked', ending, recipients, answered: answers.length, refusedAlike: null });
      if (!isTrusted) {
        findings.clientRefusals.startOver();
        this.lessen(session.complaint !== null);
      }
      return { isTrusted, fate: ending.kind !== 'silent' && ending.kind !== 'void' ? 'quit' : 'destroy' };
    } finally {
      findings.giveBack(recipients);
    }
  }
}
