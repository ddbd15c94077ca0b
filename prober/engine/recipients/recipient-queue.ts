import type { RecipientProbe } from './recipient.ts';

/** A session's recipients, in order. Those that it cannot ask about any more are passed over. */
export class RecipientQueue {
  readonly #recipients: readonly RecipientProbe[];
  readonly #mayAsk: (recipient: RecipientProbe) => boolean;
  #at = 0;
  readonly #taken: RecipientProbe[] = [];

  constructor(recipients: readonly RecipientProbe[], mayAsk: (recipient: RecipientProbe) => boolean) {
    this.#recipients = recipients;
    this.#mayAsk = mayAsk;
  }

  /** How many may still be taken. */
  get left(): number {
    for (let one = this.#recipients[this.#at]; one !== undefined && !this.#mayAsk(one);)
      one = this.#recipients[(this.#at += 1)];
    return this.#recipients.length - this.#at;
  }

  get first(): RecipientProbe | undefined {
    return this.left > 0 ? this.#recipients[this.#at] : undefined;
  }

  /** Takes one: until it is given back, no other session asks about it. */
  next(): RecipientProbe | undefined {
    const recipient = this.first;
    if (recipient === undefined) return undefined;
    this.#at += 1;
    recipient.isTaken = true;
    this.#taken.push(recipient);
    return recipient;
  }

  giveBack(): void {
    for (const recipient of this.#taken) recipient.isTaken = false;
  }
}
