import type { RecipientProbe } from './recipient-probe.ts';

/** Whom a session asks about: it takes one after the other, and others may take from the same. */
export type Waiting = {
  /** How many nobody has taken yet; 0 as well if there is no time to ask about them. */
  readonly left: number;
  take(): RecipientProbe | undefined;
};

/** Nobody: such a session is for the made-up mailbox alone. */
export const NOBODY_WAITS: Waiting = { left: 0, take: () => undefined };

/**
 * Recipients in order.
 * @param hasTime whether an answer can still be had before the batch ends: nobody is asked about in vain
 */
export class WaitingLine implements Waiting {
  readonly #recipients: readonly RecipientProbe[];
  readonly #hasTime: () => boolean;
  #taken = 0;

  constructor(recipients: readonly RecipientProbe[], hasTime: () => boolean = () => true) {
    this.#recipients = recipients;
    this.#hasTime = hasTime;
  }

  get left(): number {
    return this.#hasTime() ? this.#recipients.length - this.#taken : 0;
  }

  take(): RecipientProbe | undefined {
    if (!this.#hasTime()) return undefined;
    const recipient = this.#recipients[this.#taken];
    if (recipient !== undefined) this.#taken += 1;
    return recipient;
  }
}

/** What is taken from another line is noted. */
export class NotedLine implements Waiting {
  readonly #line: () => Waiting;
  readonly #note: (recipient: RecipientProbe) => void;

  /** @param line the line as it is at the time */
  constructor(line: () => Waiting, note: (recipient: RecipientProbe) => void) {
    this.#line = line;
    this.#note = note;
  }

  get left(): number {
    return this.#line().left;
  }

  take(): RecipientProbe | undefined {
    const recipient = this.#line().take();
    if (recipient !== undefined) this.#note(recipient);
    return recipient;
  }
}
