import type { MadeUpFate, Outcome, SmtpReply } from '../../../schema/evidence.ts';
import type { ReadReply } from '../meaning/outcome.ts';
import { fateOf, likeness, stoppedBy } from './made-up.ts';
import type { RecipientProbe } from './recipient.ts';

/** The made-up mailbox is asked about once, and once more if its result is unclear. */
const TRIES = 2;
const OUT_OF_TIME: Outcome = { kind: 'unprobed', why: 'deadline', waitS: null };

type Reports = { settle(recipient: RecipientProbe, outcome: Outcome): void };

/**
 * The recipients that one server accepted. What that is worth depends on the result of the made-up mailbox at the same
 * server, which is asked about once for all of them; until it is known they are held back. A refusal that may be due to
 * those before it in its session proves nothing: it is asked about once more, in a session of its own.
 */
export class CatchAllCheck {
  readonly #probe: Reports;
  readonly #waiting: { readonly recipient: RecipientProbe; readonly reply: SmtpReply }[] = [];
  #tries = 0;
  #fate: MadeUpFate | null;
  #doubted = false;
  #triedInSession = false;
  /** How the server has refused real mailboxes: reply code and enhanced code. */
  readonly #refusals: string[] = [];

  /** @param fate null, unless it is known without asking */
  constructor(probe: Reports, fate: MadeUpFate | null) {
    this.#probe = probe;
    this.#fate = fate;
  }

  /** A recipient was accepted, and the made-up mailbox is still to be asked about. */
  get owed(): boolean {
    return this.#waiting.length > 0 && !this.#known;
  }

  /** Its refusal was in doubt: it is due at the start of a fresh session. */
  get doubted(): boolean {
    return this.#doubted;
  }

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

  /** A session starts: it makes at most one try. */
  begin(): void {
    this.#triedInSession = false;
  }

  /** The result of one try; the last is final. @param suspect the refusals before it in its session may be the cause */
  heard(answer: ReadReply, suspect: boolean): void {
    const fate = fateOf(answer);
    const isUnlike = this.#refusals.length > 0 && !this.#refusals.includes(likeness(answer.reply));
    this.#doubted = !this.#doubted && fate.kind === 'refused' && (suspect || isUnlike);
    if (!this.#doubted) return this.#recordFate(fate);
    this.#triedInSession = true;
    this.#tries = TRIES - 1;
  }

  /** The session ended before the made-up mailbox could be asked about: that is a try, unless this session made one. */
  stopped(by: Outcome): void {
    if (this.owed && !this.#triedInSession) this.#recordFate(stoppedBy(by));
  }

  /** Nothing more will be asked here: the waiting recipients are settled with what is known. */
  close(): void {
    const madeUp = this.#fate ?? stoppedBy(OUT_OF_TIME);
    for (let one = this.#waiting.shift(); one !== undefined; one = this.#waiting.shift())
      this.#probe.settle(one.recipient, { kind: 'accepted', reply: one.reply, madeUp });
  }

  #recordFate(fate: MadeUpFate): void {
    this.#doubted = false;
    this.#tries += 1;
    this.#triedInSession = true;
    this.#fate = fate;
    if (this.#known) this.close();
  }

  get #known(): boolean {
    return this.#fate !== null && (this.#fate.kind !== 'not_learnt' || this.#tries >= TRIES);
  }
}
