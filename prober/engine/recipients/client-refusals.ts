import { MEANINGS } from '../meaning/rules/meanings.ts';
import { isAboutClient, type ReadReply } from '../meaning/outcome.ts';

/** After this many similar refusals of the client in a row, a server is taken at its word. */
const LIKE_REFUSALS = 2;

/** Whether a server refuses us for every recipient: after two similar refusals of the client in a row, in one visit. */
export class ClientRefusals {
  /** The latest replies in a row that refuse us alike; null after any other reply. */
  #streak: { readonly kind: string; readonly count: number; readonly endsSession: boolean } | null = null;
  /** The server has given a verdict on a mailbox. */
  #trusted = false;

  /** Further recipients would get the same refusal. */
  get refused(): boolean {
    return this.#streak !== null && this.#streak.count >= LIKE_REFUSALS;
  }

  /** How many RCPTs may be unanswered in view of these refusals. Not positive: `refused`. */
  get window(): number {
    if (this.#streak === null && this.#trusted) return Infinity;
    return LIKE_REFUSALS - (this.#streak?.count ?? 0);
  }

  record(answer: ReadReply): void {
    const kind = kindOf(answer);
    if (kind === null) this.#trusted = true;
    const before = kind === this.#streak?.kind ? this.#streak.count : 0;
    this.#streak = kind === null ? null : { kind, count: before + 1, endsSession: answer.said.endsSession };
  }

  /**
   * What the last replies said about us does not count: they may have been another domain's.
   * @param isShared the session had served others. Its end counts once a session of its own ends like that too
   */
  startOver(isShared = false): void {
    const last = this.#streak;
    this.#streak = isShared && last?.endsSession === true ? { ...last, count: LIKE_REFUSALS - 1 } : null;
  }
}

/** Equal for similar refusals that would hit any recipient; null for a reply about the recipient. */
function kindOf({ reply, said }: ReadReply): string | null {
  const about = MEANINGS[said.meaning].isForAll || said.endsSession || isAboutClient({ reply, said });
  return about ? `${said.meaning} ${reply.code} ${reply.enhanced ?? ''}` : null;
}
