import type { ReadReply } from '../meaning/outcome.ts';
import type { EngineSettings } from '../ports/settings.ts';

/** A refusal that takes longer is a tarpit's. */
const SLOW_MS = 5_000;
/** What Courier's takes: 8 s for the first refusal of a session, and twice as long for each further one. */
const TARPIT_MS = 8_000;
/** A reply that takes this long is one that the server lets us wait for: networks are quicker. */
const LONG_MS = 900;
/** Refusals beyond those that a server was seen to bear: a domain's mailbox and its made-up one. */
const UNPROVEN = 2;

/** What one session may cost a server, as far as it is known: it only shrinks once the server has cut a session short. */
export class SessionBudget {
  #recipients: number;
  #refusals: number;
  /** What a server bears of which nothing is known. */
  readonly #refusalsUnproven: number;
  readonly #refusalsPatient: number;
  #shortened = false;
  /** Refusals of one session before the server began to make us wait for them. */
  #quickRefusals = Infinity;
  /** How long the last refusal took; null before the first. */
  #refusalMs: number | null = null;
  /** Replies that took long, together. */
  #waitedMs = 0;

  /** @param recipientsMax what the provider bears, null if only the budget counts. A budget is at least one. */
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

  /** The server makes us wait for refusals, as a rule the longer the more there were: a session bears one while it does. */
  get isSlow(): boolean {
    return this.refusalMs > SLOW_MS;
  }

  /** Refusals take the longer the more there were in a session, or are slow from the first. */
  get isTarpit(): boolean {
    return this.isSlow || this.#quickRefusals < Infinity;
  }

  /** How long a refusal takes, as far as it is known. */
  get refusalMs(): number {
    return this.#refusalMs ?? 0;
  }

  /** We have waited for this server so much that a few parallel sessions ask no more of it than one would of another. */
  get isWorthParallel(): boolean {
    return this.isSlow || this.#waitedMs > SLOW_MS;
  }

  /**
   * Whether one more refusal after these replies uses up the budget, so that the server's own may have run out unsaid.
   * A server that ended a session for it has said where its budget ends.
   */
  spentBy(answers: readonly ReadReply[]): boolean {
    const refusals = answers.filter(({ reply }) => reply.code >= 400).length;
    return !this.#shortened && refusals > 0 && refusals + 1 >= this.refusalsMax;
  }

  /** The server shows itself as one that bears more refusals. Not raised again once it has cut a session short. */
  bearsMore(): void {
    this.#raise(this.#refusalsPatient);
  }

  /**
   * A mailbox was accepted after this many refusals of a session: the server still tells them apart, and may refuse once
   * or twice more, up to what patient software bears.
   */
  noteBorne(refusals: number): void {
    this.#raise(Math.min(this.#refusalsPatient, refusals + UNPROVEN));
  }

  /** The server shows itself as one that makes a client wait for refusals. Not believed once one has come. */
  expectTarpit(): void {
    this.#refusalMs ??= TARPIT_MS;
  }

  /**
   * The nth refusal of a session came after this long. One that is slow behind others was slow because of them: as long
   * as a session's first is slow, no session gets further.
   */
  noteRefusal(waitedMs: number, nth: number): void {
    if (nth === 1 || waitedMs <= SLOW_MS) this.#refusalMs = waitedMs;
    else this.#quickRefusals = Math.min(this.#quickRefusals, nth - 1);
  }

  /** The next reply to RCPT was waited for this long. */
  noteWait(waitedMs: number): void {
    if (waitedMs >= LONG_MS) this.#waitedMs += waitedMs;
  }

  /** It fell silent after more refusals of one session than are borne everywhere: no other session gets as far. */
  noteSilence(refusals: number): void {
    if (refusals >= this.#refusalsUnproven) this.shorten(Infinity, this.#refusalsUnproven);
  }

  /** The server ended a session early: the next one stops short of what it bore, at least one recipient. */
  shorten(recipients: number, refusals: number): void {
    this.#shortened = true;
    this.#recipients = Math.min(this.#recipients, Math.max(1, recipients));
    if (refusals > 0) this.#refusals = Math.min(this.#refusals, refusals);
  }

  #raise(to: number): void {
    if (!this.#shortened) this.#refusals = Math.max(this.#refusals, to);
  }
}
