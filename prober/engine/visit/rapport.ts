import { isAboutClient, type Answered } from '../meaning/outcome.ts';
import type { EngineSettings } from '../ports/settings.ts';

/** Refusals of the client alike in a row after which a server is taken at its word. */
const LIKE_REFUSALS = 2;

/**
 * What is known of how one server takes being asked: its budgets, which only shrink, and whether it refuses us whatever
 * the recipient. Lives as long as the visit at one address.
 */
export class Rapport {
  #recipientsMax: number;
  #refusalsMax: number;
  readonly #refusalsPatient: number;
  #like: string | null = null;
  #count = 0;
  #trusted = false;
  #shortened = false;

  /** @param recipientsMax what the provider bears, null where only the budget counts. A budget is at least one. */
  constructor(budgets: EngineSettings['budgets'], recipientsMax: number | null) {
    this.#refusalsMax = Math.max(1, budgets.refusals);
    this.#refusalsPatient = budgets.refusalsPatient;
    this.#recipientsMax = Math.max(1, Math.min(budgets.recipients, recipientsMax ?? Infinity));
  }

  get recipientsMax(): number {
    return this.#recipientsMax;
  }

  get refusalsMax(): number {
    return this.#refusalsMax;
  }

  /** Two like refusals of the client in a row: the next recipients would get the same. */
  get refused(): boolean {
    return this.#count >= LIKE_REFUSALS;
  }

  /** How many RCPTs may be unanswered by what is known of the server's mood; its budget apart. */
  get window(): number {
    return this.#trusted && this.#count === 0 ? Infinity : LIKE_REFUSALS - this.#count;
  }

  /** The server shows itself as one that bears more refusals. Not raised again once it has cut a session short. */
  bearsMore(): void {
    if (!this.#shortened) this.#refusalsMax = Math.max(this.#refusalsMax, this.#refusalsPatient);
  }

  /** Notes one reply to RCPT. */
  note(answer: Answered): void {
    const like = likeness(answer);
    if (like === null) {
      this.#trusted = true;
      this.#count = 0;
      this.#like = null;
    } else {
      this.#count = like === this.#like ? this.#count + 1 : 1;
      this.#like = like;
    }
  }

  /** The server ended a session early: the next one stops short of what it bore. */
  shorten(recipients: number, refusals: number): void {
    this.#shortened = true;
    this.#recipientsMax = Math.max(1, Math.min(this.#recipientsMax, recipients));
    if (refusals > 0) this.#refusalsMax = Math.max(1, Math.min(this.#refusalsMax, refusals));
  }
}

/** Equal for refusals alike that would meet any recipient; null for a reply about the recipient. */
function likeness({ reply, said }: Answered): string | null {
  const about =
    said.meaning === 'policy_rejected' ||
    said.meaning === 'relay_denied' ||
    said.endsSession ||
    isAboutClient({ reply, said });
  return about ? `${said.meaning} ${reply.code} ${reply.enhanced ?? ''}` : null;
}
