import { isAboutClient, type ReadReply } from '../meaning/outcome.ts';

/** Refusals of the client alike in a row after which a server is taken at its word. */
const LIKE_REFUSALS = 2;

/** Refusals of one kind in a row. */
type Streak = { readonly kind: string; readonly count: number; readonly endsSession: boolean };

/**
 * Whether a server refuses us at RCPT for every recipient: it does after two refusals of the client alike in a row. Lives as
 * long as the visit at one address.
 */
export class ClientRefusals {
  /** The last replies in a row that refuse us alike; null after any other reply. */
  #streak: Streak | null = null;
  /** How it ended a session for us, if that may have been meant for others; null once somebody was answered since. */
  #doubted: string | null = null;
  /** The server has answered for a mailbox. */
  #trusted = false;

  /** The next recipients would get the same refusal. */
  get refused(): boolean {
    return this.#streak !== null && this.#streak.count >= LIKE_REFUSALS;
  }

  /** How many RCPTs may be unanswered as far as these refusals go, the session budget apart. Not positive: `refused`. */
  get window(): number {
    // The next reply tells whether it was meant for this domain: then it is meant for all its recipients.
    if (this.#doubted !== null) return 1;
    if (this.#streak === null && this.#trusted) return Infinity;
    return LIKE_REFUSALS - (this.#streak?.count ?? 0);
  }

  /** Notes one reply to RCPT. */
  record(answer: ReadReply): void {
    const kind = kindOf(answer);
    if (kind === null) this.#trusted = true;
    const before = kind === this.#doubted ? LIKE_REFUSALS - 1 : kind === this.#streak?.kind ? this.#streak.count : 0;
    this.#streak = kind === null ? null : { kind, count: before + 1, endsSession: answer.said.endsSession };
    this.#doubted = null;
  }

  /** What the last replies said of us does not count: they may have been another domain's. */
  startOver(): void {
    this.#streak = null;
    this.#doubted = null;
  }

  /**
   * What ended a session counts once it does so again in a session that served nobody else: it was meant for this domain
   * both times, and each further recipient would cost a session. Any other refusal may be one recipient's alone.
   */
  doubt(): void {
    this.#doubted = this.#streak?.endsSession === true ? this.#streak.kind : null;
    this.#streak = null;
  }
}

/** Equal for refusals alike that would meet any recipient; null for a reply about the recipient. */
function kindOf({ reply, said }: ReadReply): string | null {
  const about =
    said.meaning === 'policy_rejected' ||
    said.meaning === 'relay_denied' ||
    said.endsSession ||
    isAboutClient({ reply, said });
  return about ? `${said.meaning} ${reply.code} ${reply.enhanced ?? ''}` : null;
}
