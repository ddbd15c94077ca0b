import type { MadeUpFate, Outcome, SmtpReply } from '../../../schema/evidence.ts';
import { isEveryNth } from '../meaning/controls.ts';
import { fateOf, stoppedBy } from '../meaning/made-up-fate.ts';
import type { ReadReply } from '../meaning/outcome.ts';
import type { Random } from '../ports/ports.ts';
import type { RecipientProbe } from '../recipients/recipient.ts';

/** A made-up mailbox is asked about once, and once more if nothing was learnt. */
const TRIES = 2;
/** Sessions that may end before it. */
const SESSIONS_BEFORE = 3;
const OUT_OF_TIME: Outcome = { kind: 'unprobed', why: 'deadline', waitS: null };
const IN_DOUBT: MadeUpFate = { kind: 'not_learnt', why: 'unexpected_code', deferral: null };

type Reports = { settle(recipient: RecipientProbe, outcome: Outcome): void };

/**
 * The catch-all check at one server: the recipients that it accepted are held back until it is known what it says to a
 * random recipient, the made-up mailbox. That is asked about once for all of them, last in its session. A refusal that may
 * be due to those before it there is no result: then the next session is the second try's own.
 */
export class RandomRecipient {
  readonly #probe: Reports;
  readonly #waiting: { readonly recipient: RecipientProbe; readonly reply: SmtpReply }[] = [];
  #tries = 0;
  #sessions = 0;
  #fate: MadeUpFate | null;

  /** @param fate null, unless it is known without asking */
  constructor(probe: Reports, fate: MadeUpFate | null) {
    this.#probe = probe;
    this.#fate = fate;
  }

  /** A recipient was accepted, and the made-up mailbox is still to be asked about. */
  get owed(): boolean {
    return this.#waiting.length > 0 && !this.#isKnown;
  }

  /** It gets a session of its own before the rest of a long list: sessions end in doubt about it, or before it. */
  get isOverdue(): boolean {
    return this.owed && (this.#fate === IN_DOUBT || (this.#tries === 0 && this.#sessions >= SESSIONS_BEFORE));
  }

  /** @param isAlone no recipient is asked about in the same session */
  plan(isAlone: boolean): 'known' | 'if_accepted' | 'owed' {
    if (this.#isKnown || (this.#fate === IN_DOUBT && !isAlone)) return 'known';
    return this.#waiting.length > 0 ? 'owed' : 'if_accepted';
  }

  add(recipient: RecipientProbe, reply: SmtpReply): void {
    recipient.state = 'held';
    this.#waiting.push({ recipient, reply });
    if (this.#isKnown) this.close();
  }

  /** A session starts that may ask about it. */
  begin(): void {
    this.#sessions += 1;
  }

  /**
   * The result of one try; the last is final.
   * @param before what the session said to real mailboxes @param isSpent its budget of refusals is used up
   */
  heard(answer: ReadReply, before: readonly ReadReply[], isSpent: boolean): void {
    if (this.#isKnown) return;
    const fate = fateOf(answer);
    const isInDoubt = answer.said.by !== 'controls' && (isSpent || isRegular(before));
    this.#record(fate.kind === 'refused' && isInDoubt ? IN_DOUBT : fate);
  }

  /** A session ended before the made-up mailbox could be asked about: that is a try. */
  stopped(by: Outcome): void {
    if (this.owed) this.#record(stoppedBy(by));
  }

  /** Nothing more will be asked here: the waiting recipients are settled with what is known. */
  close(): void {
    const madeUp = this.#fate ?? stoppedBy(OUT_OF_TIME);
    for (let one = this.#waiting.shift(); one !== undefined; one = this.#waiting.shift())
      this.#probe.settle(one.recipient, { kind: 'accepted', reply: one.reply, madeUp });
  }

  #record(fate: MadeUpFate): void {
    this.#tries += 1;
    this.#fate = fate;
    if (this.#isKnown) this.close();
  }

  get #isKnown(): boolean {
    return this.#fate !== null && (this.#fate.kind !== 'not_learnt' || this.#tries >= TRIES);
  }
}

const CONSONANTS = 'bdfghjklmnprstvz';
const VOWELS = 'aeiou';

/** A local part that looks like a name but belongs to no one: 18 letters, 56 random bits. */
export function madeUpLocal(random: Random): string {
  let word = '';
  for (let i = 0; i < 9; i += 1) word += pick(CONSONANTS, random) + pick(VOWELS, random);
  return word;
}

function pick(from: string, random: Random): string {
  return from[Math.floor(random() * from.length)] ?? from.slice(0, 1);
}

/** This many refusals at a regular interval are unlikely to be due to the list of addresses. */
const REGULAR_REFUSALS = 3;

/** Whether a refusal after these replies would fit a server that refuses every nth recipient: exactly those were. */
function isRegular(before: readonly ReadReply[]): boolean {
  const refused = [...before.map(({ reply }) => reply.code >= 400), true];
  const interval = refused.indexOf(true) + 1;
  return interval > 1 && refused.length >= REGULAR_REFUSALS * interval && isEveryNth(refused);
}
