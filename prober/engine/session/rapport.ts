import { isAboutClient, type ReadReply } from '../meaning/outcome.ts';
import type { Budget } from './session-budget.ts';

/** Refusals of the client alike in a row after which a server is taken at its word. */
const LIKE_REFUSALS = 2;

/**
 * What is known of how one server takes being asked about one domain: the budget, which other domains at the same server
 * may share, and whether it refuses us whatever the recipient. Lives as long as the visit at one address.
 */
export class Rapport {
  readonly #budget: Budget;
  /** The last replies in a row that refuse us alike; null after any other reply. */
  #alike: { readonly likeness: string; readonly count: number; readonly endsSession: boolean } | null = null;
  /** How it ended a session for us, if that may have been meant for others; null once somebody was answered since. */
  #doubted: string | null = null;
  /** The server has answered for a mailbox. */
  #trusted = false;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  get recipientsMax(): number {
    return this.#budget.recipientsMax;
  }

  get refusalsMax(): number {
    return this.#budget.refusalsMax;
  }

  /** A few sessions may ask side by side. */
  get isWorthHelp(): boolean {
    return this.#budget.isWorthHelp;
  }

  /** How long a refusal takes, as far as it is known. */
  get refusalMs(): number {
    return this.#budget.refusalMs;
  }

  /** The server makes us wait for refusals, from the first of a session or from a later one. */
  get isTarpit(): boolean {
    return this.#budget.isTarpit;
  }

  /** A session bears one refusal: one unknown mailbox is asked about at a time. */
  get isSlow(): boolean {
    return this.#budget.isSlow;
  }

  /** Two like refusals of the client in a row: the next recipients would get the same. */
  get refused(): boolean {
    return this.#alike !== null && this.#alike.count >= LIKE_REFUSALS;
  }

  /** How many RCPTs may be unanswered by what is known of the server's mood; its budget apart. */
  get window(): number {
    // The next reply tells whether it was meant for this domain: then it is meant for all its recipients.
    if (this.#doubted !== null) return 1;
    if (this.#alike === null && this.#trusted) return Infinity;
    return LIKE_REFUSALS - (this.#alike?.count ?? 0);
  }

  /** The server shows itself as one that bears more refusals. */
  bearsMore(): void {
    this.#budget.bearsMore();
  }

  /**
   * Whether one more refusal after these replies uses up the budget, so that the server's own may have run out unsaid.
   * One that ended a session for it has said where its budget ends.
   */
  spentBy(answers: readonly ReadReply[]): boolean {
    const refusals = answers.filter(({ reply }) => reply.code >= 400).length;
    return !this.#budget.isKnown && refusals > 0 && refusals + 1 >= this.refusalsMax;
  }

  /** Notes one reply to RCPT. */
  note(answer: ReadReply): void {
    const like = likeness(answer);
    if (like === null) this.#trusted = true;
    const before = like === this.#doubted ? LIKE_REFUSALS - 1 : like === this.#alike?.likeness ? this.#alike.count : 0;
    this.#alike = like === null ? null : { likeness: like, count: before + 1, endsSession: answer.said.endsSession };
    this.#doubted = null;
  }

  /** The server ended a session early: the next one stops short of what it bore. */
  shorten(recipients: number, refusals: number): void {
    this.#budget.shorten(recipients, refusals);
  }

  /** The server shows itself as one that makes a client wait for refusals. */
  expectTarpit(): void {
    this.#budget.expectTarpit();
  }

  /** The so-manieth refusal of a session came after so long. */
  noteRefusal(waitedMs: number, nth: number): void {
    this.#budget.noteRefusal(waitedMs, nth);
  }

  /** The next reply to RCPT was waited for so long. */
  noteWait(waitedMs: number): void {
    this.#budget.noteWait(waitedMs);
  }

  /** What the last replies said of us does not count: they may have been another domain's. */
  startOver(): void {
    this.#alike = null;
    this.#doubted = null;
  }

  /**
   * What ends a session counts once it does so again where nobody else was asked about: it was this domain's both times,
   * and each further recipient would cost a session. Any other refusal may be one recipient's alone.
   */
  doubt(): void {
    this.#doubted = this.#alike?.endsSession === true ? this.#alike.likeness : null;
    this.#alike = null;
  }
}

/** Equal for refusals alike that would meet any recipient; null for a reply about the recipient. */
function likeness({ reply, said }: ReadReply): string | null {
  const about =
    said.meaning === 'policy_rejected' ||
    said.meaning === 'relay_denied' ||
    said.endsSession ||
    isAboutClient({ reply, said });
  return about ? `${said.meaning} ${reply.code} ${reply.enhanced ?? ''}` : null;
}
