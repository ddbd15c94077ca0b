import type { EngineSettings } from '../ports/settings.ts';
import type { Offers } from './offers.ts';

/** A reply that takes this long is delayed on purpose: networks are quicker. */
const SLOW_MS = 900;
/** A refusal that takes longer comes from a tarpit. */
const TARPIT_MS = 5_000;
/** Courier's delays: 8 s for the first refusal of a session, and twice as long for each further one. */
const COURIER_MS = 8_000;
/** Refusals beyond those that a server was seen to tolerate: a domain's mailbox and its made-up one. */
const UNPROVEN = 2;
/** Replies to a group take no longer, where the server delays them: others wait for its place. */
const GROUP_MS = 2_000;

/**
 * What one session may cost a server: by its software, and less once it has cut a session short. A server that delays
 * a refusal gets no more in a session than came before it.
 */
export class SessionBudget {
  recipientsMax: number;
  refusalsMax: number;
  /** Recipients that one transaction takes. */
  transactionMax = Infinity;
  /** How long a tarpit takes for the first refusal of a session; 0: it is none. */
  refusalMs = 0;
  /** How long the last refusal took, or a later acceptance that took longer. */
  #replyMs = 0;
  #isShortened = false;
  readonly #usual: EngineSettings['budgets'];

  /** @param recipientsMax the provider's limit, null if only the budget counts. A budget is at least one. */
  constructor(budgets: EngineSettings['budgets'], recipientsMax: number | null) {
    this.recipientsMax = Math.max(1, Math.min(budgets.recipients, recipientsMax ?? Infinity));
    this.refusalsMax = Math.max(1, budgets.refusals);
    this.#usual = budgets;
  }

  /** RCPTs that may be unanswered. */
  get groupMax(): number {
    return this.#replyMs < SLOW_MS ? Infinity : Math.max(1, Math.floor(GROUP_MS / this.#replyMs));
  }

  get isTarpit(): boolean {
    return this.refusalMs > 0;
  }

  /** The software that it says it is. */
  bySoftware({ patient, tarpit }: Offers): void {
    if (tarpit && !this.isTarpit) this.#delays(COURIER_MS, 1);
    else if (patient) this.noteBorne(this.#usual.refusalsPatient);
  }

  /** Accepted after this many refusals: the server still tells mailboxes apart, and may refuse once or twice more. */
  noteBorne(refusals: number): void {
    if (this.#isShortened) return;
    this.refusalsMax = Math.max(this.refusalsMax, Math.min(this.#usual.refusalsPatient, refusals + UNPROVEN));
  }

  /** A reply to a RCPT took this long. @param nth the refusal of its session that it is; 0: an acceptance */
  noteReply(waitedMs: number, nth: number): void {
    if (nth > 0 || waitedMs > this.#replyMs) this.#replyMs = waitedMs;
    if (nth > 0 && waitedMs > TARPIT_MS) this.#delays(waitedMs, nth);
  }

  /** It fell silent, or closed, when a session had about as many refusals as are tolerated everywhere: none gets further. */
  noteSilence(refusals: number): void {
    const usual = Math.max(1, this.#usual.refusals);
    if (refusals >= usual - 1) this.shorten(Infinity, Math.min(refusals, usual));
  }

  /** The server ended a session early: the next one stops short of what it tolerated, after at least one recipient. */
  shorten(recipients: number, refusals: number): void {
    this.#isShortened = true;
    this.recipientsMax = Math.min(this.recipientsMax, Math.max(1, recipients));
    if (refusals > 0) this.refusalsMax = Math.min(this.refusalsMax, refusals);
  }

  /** Whether one more refusal after this many uses it up, so that the server's own may have run out unannounced. */
  isSpentAfter(refusals: number): boolean {
    return !this.#isShortened && refusals > 0 && refusals + 1 >= this.refusalsMax;
  }

  #delays(refusalMs: number, nth: number): void {
    if (nth === 1) this.refusalMs = refusalMs;
    this.shorten(Infinity, Math.max(1, nth - 1));
  }
}
