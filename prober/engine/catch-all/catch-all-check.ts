import type { MadeUpFate, Outcome, SmtpReply } from '../../../schema/evidence.ts';
import type { ReadReply } from '../meaning/outcome.ts';
import { confirmedFate, fateOf, isDoubtful, likeness, stoppedBy } from './made-up.ts';
import type { RecipientProbe } from '../recipients/recipient-probe.ts';

/** The made-up mailbox is asked about once, and once more if its fate was not learnt. */
const TRIES = 2;
const OUT_OF_TIME: Outcome = { kind: 'unprobed', why: 'deadline', waitS: null };

/** Where verdicts go. */
type Reports = { settle(recipient: RecipientProbe, outcome: Outcome): void };

/**
 * The recipients that one server accepted. What that is worth depends on the made-up mailbox's fate at the same server,
 * which is asked about once for all of them; until it is known they are kept back. A refusal that may have
 * another cause proves nothing by itself: a second made-up mailbox, in a session of its own, confirms it or not.
 */
export class CatchAllCheck {
  readonly #probe: Reports;
  readonly #waiting: { readonly recipient: RecipientProbe; readonly reply: SmtpReply }[] = [];
  #tries = 0;
  /** What the last try told. */
  #fate: MadeUpFate | null;
  /** The refusal of the first made-up mailbox while the second has yet to confirm it. */
  #doubted: ReadReply | null = null;
  #triedInSession = false;
  /** How the server refused real mailboxes so far: reply code and enhanced code. */
  readonly #refusals: string[] = [];

  /** @param fate null, unless it is known without asking */
  constructor(probe: Reports, fate: MadeUpFate | null) {
    this.#probe = probe;
    this.#fate = fate;
  }

  /** Somebody was accepted, and the made-up mailbox is to be asked about for it. */
  get owed(): boolean {
    return this.#waiting.length > 0 && !this.#known;
  }

  /** What is owed is a second made-up mailbox, before anybody else in a fresh session. */
  get doubted(): boolean {
    return this.#doubted !== null;
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

  /** A real mailbox was refused: so the made-up one should be. */
  refused(reply: SmtpReply): void {
    const like = likeness(reply);
    if (!this.#refusals.includes(like)) this.#refusals.push(like);
  }

  /** A session begins: it makes at most one try. */
  begin(): void {
    this.#triedInSession = false;
  }

  /**
   * The reply about the made-up mailbox: one try's result. What is not learnt by the last try is the fate.
   * @param suspect whether the refusals before it in this session may be the cause, if it is refused
   */
  heard(answer: ReadReply, suspect: boolean): void {
    const fate = fateOf(answer);
    if (this.#doubted !== null) this.#conclude(confirmedFate(this.#doubted, answer));
    else if (fate.kind !== 'refused' || !isDoubtful(answer, this.#refusals, suspect)) this.#recordFate(fate);
    else {
      this.#triedInSession = true;
      this.#doubted = answer;
    }
  }

  /** The session ended before the made-up mailbox could be asked about: that was a try, unless this session made one. */
  stopped(by: Outcome): void {
    if (!this.owed || this.#triedInSession) return;
    if (this.#doubted === null) this.#recordFate(stoppedBy(by));
    else this.#conclude(stoppedBy(by));
  }

  /** The server puts our crowd off, which says nothing of those who wait: nobody pays for that. */
  putOff(by: Outcome): void {
    if (!this.owed || this.#triedInSession) return;
    for (const { recipient } of this.#waiting.splice(0)) this.#probe.settle(recipient, by);
  }

  /** Nothing more will be asked here: those who wait are settled by what is known. */
  close(): void {
    const madeUp = this.#fate ?? stoppedBy(OUT_OF_TIME);
    for (let one = this.#waiting.shift(); one !== undefined; one = this.#waiting.shift())
      this.#probe.settle(one.recipient, { kind: 'accepted', reply: one.reply, madeUp });
  }

  #recordFate(fate: MadeUpFate): void {
    this.#tries += 1;
    this.#triedInSession = true;
    this.#fate = fate;
    if (this.#known) this.close();
  }

  /** The second made-up mailbox had its one try. */
  #conclude(fate: MadeUpFate): void {
    this.#doubted = null;
    this.#tries = TRIES;
    this.#recordFate(fate);
  }

  get #known(): boolean {
    return this.#fate !== null && (this.#fate.kind !== 'not_learnt' || this.#tries >= TRIES);
  }
}
