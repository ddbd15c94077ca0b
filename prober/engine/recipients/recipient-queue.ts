import type { RecipientProbe } from './recipient.ts';

/** The source of a session's recipients; other sessions may take from the same one. */
export type RecipientSource = {
  /** How many have not been taken yet; 0 as well if there is no time to ask about them. */
  readonly left: number;
  next(): RecipientProbe | undefined;
};

/** Empty: such a session is for the made-up mailbox alone. */
export const NOBODY: RecipientSource = { left: 0, next: () => undefined };

/** Recipients in order. @param host says whether an answer can still be had before the batch ends */
export class RecipientQueue implements RecipientSource {
  readonly #recipients: readonly RecipientProbe[];
  readonly #host: { readonly hasTime: boolean };
  #taken = 0;

  constructor(recipients: readonly RecipientProbe[], host: { readonly hasTime: boolean }) {
    this.#recipients = recipients;
    this.#host = host;
  }

  get left(): number {
    return this.#host.hasTime ? this.#recipients.length - this.#taken : 0;
  }

  next(): RecipientProbe | undefined {
    if (!this.#host.hasTime) return undefined;
    const recipient = this.#recipients[this.#taken];
    if (recipient !== undefined) this.#taken += 1;
    return recipient;
  }
}
