import type { EngineSettings } from '../ports/settings.ts';

/** A refusal that takes longer comes from a tarpit. */
const SLOW_MS = 5_000;
/** Courier's delays: 8 s for the first refusal of a session, and twice as long for each further one. */
const TARPIT_MS = 8_000;
/** A reply that takes this long is delayed on purpose: networks are quicker. */
const LONG_MS = 900;
/** Refusals beyond those that a server was seen to tolerate: a domain's mailbox and its made-up one. */
const UNPROVEN = 2;

/**
 * What one session may cost a server: by its software, and less once it has cut a session short. A server that delays
 * a refusal gets no more in a session than came before it.
 */
export class SessionBudget {
  #recipients: number;
  #refusals: number;
  #transaction = Infinity;
  /** How long it took to refuse when it last delayed that; 0: it does not. */
  #refusalMs = 0;
  #waitedMs = 0;
  #isShortened = false;
  readonly #usual: EngineSettings['budgets'];

  /** @param recipientsMax the provider's limit, null if only the budget counts. A budget is at least one. */
  constructor(budgets: EngineSettings['budgets'], recipientsMax: number | null) {
    this.#recipients = Math.max(1, Math.min(budgets.recipients, recipientsMax ?? Infinity));
    this.#refusals = Math.max(1, budgets.refusals);
    this.#usual = budgets;
  }

  get recipientsMax(): number {
    return this.#recipients;
  }

  /** Recipients that one transaction takes. */
  get transactionMax(): number {
    return this.#transaction;
  }

  get refusalsMax(): number {
    return this.#refusals;
  }

  /** How long a refusal takes here. */
  get refusalMs(): number {
    return this.#refusalMs;
  }

  /** We have waited so long that a few parallel sessions ask no more of it than a single one of another server. */
  get isSlow(): boolean {
    return this.#refusalMs > 0 || this.#waitedMs > SLOW_MS;
  }

  /** The software that it says it is. */
  bySoftware({ isPatient, isTarpit }: { readonly isPatient: boolean; readonly isTarpit: boolean }): void {
    if (isTarpit && this.#refusalMs === 0) this.#delays(TARPIT_MS, 1);
    else if (isPatient) this.#raise(this.#usual.refusalsPatient);
  }

  /** Accepted after this many refusals: the server still tells mailboxes apart, and may refuse once or twice more. */
  noteBorne(refusals: number): void {
    this.#raise(Math.min(this.#usual.refusalsPatient, refusals + UNPROVEN));
  }

  /** The nth refusal took this long. */
  noteRefusal(waitedMs: number, nth: number): void {
    if (waitedMs > SLOW_MS) this.#delays(waitedMs, nth);
  }

  noteWait(waitedMs: number): void {
    if (waitedMs >= LONG_MS) this.#waitedMs += waitedMs;
  }

  /** It fell silent, or closed, when a session had about as many refusals as are tolerated everywhere: none gets further. */
  noteSilence(refusals: number): void {
    const usual = Math.max(1, this.#usual.refusals);
    if (refusals >= usual - 1) this.shorten(Infinity, Math.min(refusals, usual));
  }

  limitTransaction(recipients: number): void {
    this.#transaction = Math.min(this.#transaction, recipients);
  }

  /** The server ended a session early: the next one stops short of what it tolerated, after at least one recipient. */
  shorten(recipients: number, refusals: number): void {
    this.#isShortened = true;
    this.#recipients = Math.min(this.#recipients, Math.max(1, recipients));
    if (refusals > 0) this.#refusals = Math.min(this.#refusals, refusals);
  }

  /** Whether one more refusal after this many uses it up, so that the server's own may have run out unannounced. */
  isSpentAfter(refusals: number): boolean {
    return !this.#isShortened && refusals > 0 && refusals + 1 >= this.#refusals;
  }

  #raise(to: number): void {
    if (!this.#isShortened) this.#refusals = Math.max(this.#refusals, to);
  }

  #delays(refusalMs: number, nth: number): void {
    if (nth === 1) this.#refusalMs = refusalMs;
    this.shorten(Infinity, Math.max(1, nth - 1));
  }
}
