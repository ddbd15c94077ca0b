import type { MadeUpFate, Outcome, SmtpReply } from '../../../schema/evidence.ts';
import { stoppedBy } from './made-up.ts';
import type { RecipientProbe } from './recipient-probe.ts';

/** The made-up mailbox is asked about once, and once more if its fate was not learnt. */
const TRIES = 2;
const OUT_OF_TIME: Outcome = { kind: 'unprobed', why: 'deadline', waitS: null };

/**
 * The recipients that one server accepted. What that is worth depends on the made-up mailbox's fate at the same server,
 * which is asked about once for all of them; until it is known they are kept back.
 */
export class Acceptances {
  readonly #settle: (recipient: RecipientProbe, outcome: Outcome) => void;
  #waiting: { readonly recipient: RecipientProbe; readonly reply: SmtpReply }[] = [];
  #tries = 0;
  /** What the last try told. */
  #fate: MadeUpFate | null;
  #triedInSession = false;

  /** @param fate null, unless it is known without asking */
  constructor(settle: (recipient: RecipientProbe, outcome: Outcome) => void, fate: MadeUpFate | null) {
    this.#settle = settle;
    this.#fate = fate;
  }

  /** Somebody was accepted, and the made-up mailbox is to be asked about for it. */
  get owed(): boolean {
    return this.#waiting.length > 0 && !this.#known;
  }

  /** What the next transaction does about the made-up mailbox. */
  get plan(): 'known' | 'if_accepted' | 'owed' {
    if (this.#known) return 'known';
    return this.#waiting.length > 0 ? 'owed' : 'if_accepted';
  }

  add(recipient: RecipientProbe, reply: SmtpReply): void {
    recipient.state = 'held';
    this.#waiting.push({ recipient, reply });
    if (this.#known) this.close();
  }

  /** A session begins: it makes at most one try. */
  begin(): void {
    this.#triedInSession = false;
  }

  /** One try's result. What is not learnt by the last try is the fate. */
  note(fate: MadeUpFate): void {
    this.#tries += 1;
    this.#triedInSession = true;
    this.#fate = fate;
    if (this.#known) this.close();
  }

  /** The session ended before the made-up mailbox could be asked about: that was a try, unless this session made one. */
  stopped(by: Outcome): void {
    if (this.owed && !this.#triedInSession) this.note(stoppedBy(by));
  }

  /** Nothing more will be asked here: those who wait are settled by what is known. */
  close(): void {
    const madeUp = this.#fate ?? stoppedBy(OUT_OF_TIME);
    const released = this.#waiting;
    this.#waiting = [];
    for (const { recipient, reply } of released) this.#settle(recipient, { kind: 'accepted', reply, madeUp });
  }

  get #known(): boolean {
    return this.#fate !== null && (this.#fate.kind !== 'not_learnt' || this.#tries >= TRIES);
  }
}
