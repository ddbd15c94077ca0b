import type { RecipientProbe } from './recipient-probe.ts';

/** The source of a session's recipients; other sessions may take from the same one. */
export type RecipientSource = {
  /** How many have not been taken yet; 0 as well if there is no time to ask about them. */
  readonly left: number;
  next(): RecipientProbe | undefined;
};

/** Empty: such a session is for the made-up mailbox alone. */
export const NOBODY: RecipientSource = { left: 0, next: () => undefined };

/**
 * Recipients in order.
 * @param hasTime whether an answer is still possible before the batch ends: no recipient is asked about in vain
 */
export class RecipientQueue implements RecipientSource {
  readonly #recipients: readonly RecipientProbe[];
  readonly #hasTime: () => boolean;
  #taken = 0;

  constructor(recipients: readonly RecipientProbe[], hasTime: () => boolean) {
    this.#recipients = recipients;
    this.#hasTime = hasTime;
  }

  get left(): number {
    return this.#hasTime() ? this.#recipients.length - this.#taken : 0;
  }

  next(): RecipientProbe | undefined {
    if (!this.#hasTime()) return undefined;
    const recipient = this.#recipients[this.#taken];
    if (recipient !== undefined) this.#taken += 1;
    return recipient;
  }
}
