import type { MadeUpFate, Outcome, SmtpReply } from '../../../schema/evidence.ts';
import { stoppedBy } from './made-up.ts';
import type { Slot } from './slot.ts';

/** The made-up mailbox is asked about once, and once more where its fate was not learnt. */
const TRIES = 2;
const OUT_OF_TIME: Outcome = { kind: 'unprobed', why: 'deadline', waitS: null };

/**
 * The recipients that one server accepted. What that is worth depends on the made-up mailbox's fate at the same server,
 * which is asked about once for all of them; until it is known they are kept back.
 */
export class Acceptances {
  readonly #settle: (slot: Slot, outcome: Outcome) => void;
  #waiting: { readonly slot: Slot; readonly reply: SmtpReply }[] = [];
  #fate: MadeUpFate | null = null;
  #lastFate: MadeUpFate | null = null;
  #tries = 0;
  #triesBefore = 0;

  constructor(settle: (slot: Slot, outcome: Outcome) => void) {
    this.#settle = settle;
  }

  /** Somebody was accepted, and the made-up mailbox is to be asked about for it. */
  get owed(): boolean {
    return this.#waiting.length > 0 && this.#fate === null;
  }

  /** What the next transaction does about the made-up mailbox. */
  get plan(): 'known' | 'if_accepted' | 'owed' {
    if (this.#fate !== null) return 'known';
    return this.#waiting.length > 0 ? 'owed' : 'if_accepted';
  }

  add(slot: Slot, reply: SmtpReply): void {
    slot.state = 'held';
    this.#waiting.push({ slot, reply });
    if (this.#fate !== null) this.#release(this.#fate);
  }

  /** A session begins: it makes at most one try. */
  begin(): void {
    this.#triesBefore = this.#tries;
  }

  /** One try's result. What is not learnt by the last try is the fate. */
  note(fate: MadeUpFate): void {
    this.#tries += 1;
    this.#lastFate = fate;
    if (fate.kind === 'not_learnt' && this.#tries < TRIES) return;
    this.#fate = fate;
    this.#release(fate);
  }

  /** The session ended before the made-up mailbox could be asked about: that was a try, unless this session made one. */
  stopped(by: Outcome): void {
    if (this.owed && this.#tries === this.#triesBefore) this.note(stoppedBy(by));
  }

  /** Nothing more will be asked here. */
  close(): void {
    this.#release(this.#fate ?? this.#lastFate ?? stoppedBy(OUT_OF_TIME));
  }

  #release(madeUp: MadeUpFate): void {
    const released = this.#waiting;
    this.#waiting = [];
    for (const { slot, reply } of released) this.#settle(slot, { kind: 'accepted', reply, madeUp });
  }
}
