import type { EngineSettings } from '../ports/settings.ts';

/** What one session may cost a server, as far as it is known: it only shrinks once the server has cut a session short. */
export class Budget {
  #recipients: number;
  #refusals: number;
  readonly #refusalsPatient: number;
  #shortened = false;
  #isSlow = false;

  /** @param recipientsMax what the provider bears, null if only the budget counts. A budget is at least one. */
  constructor(budgets: EngineSettings['budgets'], recipientsMax: number | null) {
    this.#recipients = Math.max(1, Math.min(budgets.recipients, recipientsMax ?? Infinity));
    this.#refusals = Math.max(1, budgets.refusals);
    this.#refusalsPatient = budgets.refusalsPatient;
  }

  get recipientsMax(): number {
    return this.#recipients;
  }

  get refusalsMax(): number {
    return this.#isSlow ? 1 : this.#refusals;
  }

  /** The server has ended a session because of what it was asked, and so said where its budget ends. */
  get isKnown(): boolean {
    return this.#shortened;
  }

  /** The server shows itself as one that bears more refusals. Not raised again once it has cut a session short. */
  bearsMore(): void {
    if (!this.#shortened) this.#refusals = Math.max(this.#refusals, this.#refusalsPatient);
  }

  /** The server makes us wait for refusals, as a rule the longer the more there were: a session bears one while it does. */
  noteSlow(isSlow: boolean): void {
    this.#isSlow = isSlow;
  }

  /** The server ended a session early: the next one stops short of what it bore, at least one recipient. */
  shorten(recipients: number, refusals: number): void {
    this.#shortened = true;
    this.#recipients = Math.min(this.#recipients, Math.max(1, recipients));
    if (refusals > 0) this.#refusals = Math.min(this.#refusals, refusals);
  }
}
