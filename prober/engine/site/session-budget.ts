import type { ReadReply } from '../meaning/outcome.ts';
import type { EngineSettings } from '../ports/settings.ts';

/** A refusal that takes longer comes from a tarpit. */
const SLOW_MS = 5_000;
/** Courier's delays: 8 s for the first refusal of a session, and twice as long for each further one. */
const TARPIT_MS = 8_000;
/** A reply that takes this long is delayed on purpose: networks are quicker. */
const LONG_MS = 900;
/** Refusals beyond those that a server was seen to tolerate: a domain's mailbox and its made-up one. */
const UNPROVEN = 2;

/** What one session may cost a server, as far as known: it only shrinks once the server has cut a session short. */
export class SessionBudget {
  #recipients: number;
  #refusals: number;
  /** The limit for a server about which nothing is known. */
  readonly #refusalsUnproven: number;
  readonly #refusalsPatient: number;
  #shortened = false;
  /** Refusals of one session before the server started to delay them. */
  #quickRefusals = Infinity;
  /** How long the last refusal took; null before the first. */
  #refusalMs: number | null = null;
  #waitedMs = 0;

  /** @param recipientsMax the provider's limit, null if only the budget counts. A budget is at least one. */
  constructor(budgets: EngineSettings['budgets'], recipientsMax: number | null) {
    this.#recipients = Math.max(1, Math.min(budgets.recipients, recipientsMax ?? Infinity));
    this.#refusalsUnproven = Math.max(1, budgets.refusals);
    this.#refusals = this.#refusalsUnproven;
    this.#refusalsPatient = budgets.refusalsPatient;
  }

  get recipientsMax(): number {
    return this.#recipients;
  }

  get refusalsMax(): number {
    return this.isSlow ? 1 : Math.min(this.#refusals, this.#quickRefusals);
  }

  /** The server delays refusals, usually the longer the more there were: meanwhile a session gets one. */
  get isSlow(): boolean {
    return this.refusalMs > SLOW_MS;
  }

  /** Refusals take longer the more there were in a session, or are slow from the first. */
  get isTarpit(): boolean {
    return this.isSlow || this.#quickRefusals < Infinity;
  }

  get refusalMs(): number {
    return this.#refusalMs ?? 0;
  }

  /** We have waited so long that a few parallel sessions ask no more of it than a single one of another server. */
  get isWorthParallel(): boolean {
    return this.isSlow || this.#waitedMs > SLOW_MS;
  }

  /**
   * Whether one more refusal after these replies uses up the budget, so that the server's own may have run out
   * unannounced. A server that ended a session over it has shown where its budget ends.
   */
  spentBy(answers: readonly ReadReply[]): boolean {
    const refusals = answers.filter(({ reply }) => reply.code >= 400).length;
    return !this.#shortened && refusals > 0 && refusals + 1 >= this.refusalsMax;
  }

  /** The server looks like one that tolerates more refusals. Not raised again once it has cut a session short. */
  bearsMore(): void {
    this.#raise(this.#refusalsPatient);
  }

  /** Accepted after this many refusals: the server still tells mailboxes apart, and may refuse once or twice more. */
  noteBorne(refusals: number): void {
    this.#raise(Math.min(this.#refusalsPatient, refusals + UNPROVEN));
  }

  /** The server looks like one that delays refusals. Ignored once one has come. */
  expectTarpit(): void {
    this.#refusalMs ??= TARPIT_MS;
  }

  /** The nth refusal took this long. A slow one after quick ones is slow because of them: no session gets further. */
  noteRefusal(waitedMs: number, nth: number): void {
    if (nth === 1 || waitedMs <= SLOW_MS) this.#refusalMs = waitedMs;
    else this.#quickRefusals = Math.min(this.#quickRefusals, nth - 1);
  }

  noteWait(waitedMs: number): void {
    if (waitedMs >= LONG_MS) this.#waitedMs += waitedMs;
  }

  /** It fell silent, or closed, when a session had about as many refusals as are tolerated everywhere: none gets further. */
  noteSilence(refusals: number): void {
    if (refusals >= this.#refusalsUnproven - 1) this.shorten(Infinity, Math.min(refusals, this.#refusalsUnproven));
  }

  /** The server ended a session early: the next one stops short of what it tolerated, after at least one recipient. */
  shorten(recipients: number, refusals: number): void {
    this.#shortened = true;
    this.#recipients = Math.min(this.#recipients, Math.max(1, recipients));
    if (refusals > 0) this.#refusals = Math.min(this.#refusals, refusals);
  }

  #raise(to: number): void {
    if (!this.#shortened) this.#refusals = Math.max(this.#refusals, to);
  }
}
