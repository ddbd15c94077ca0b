import type { RecipientProbe } from './recipient.ts';

/** A session's recipients, in order. Those that it cannot ask about any more are passed over. */
export class RecipientQueue {
  readonly #waiting: RecipientProbe[];
  readonly #taken: RecipientProbe[] = [];
  readonly #mayAsk: (recipient: RecipientProbe) => boolean;

  constructor(recipients: readonly RecipientProbe[], mayAsk: (recipient: RecipientProbe) => boolean) {
    this.#waiting = [...recipients];
    this.#mayAsk = mayAsk;
  }

  get first(): RecipientProbe | undefined {
    while (this.#waiting[0] !== undefined && !this.#mayAsk(this.#waiting[0])) this.#waiting.shift();
    return this.#waiting[0];
  }

  /** How many may still be taken. */
  get left(): number {
    return this.first === undefined ? 0 : this.#waiting.length;
  }

  /** Takes one: until it is given back, no other session asks about it. */
  next(): RecipientProbe | undefined {
    const recipient = this.first;
    if (recipient === undefined) return undefined;
    this.#waiting.shift();
    recipient.isTaken = true;
    this.#taken.push(recipient);
    return recipient;
  }

  giveBack(): void {
    for (const recipient of this.#taken) recipient.isTaken = false;
  }
}
