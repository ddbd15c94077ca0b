import type { Answer } from './answer.ts';
import { ALL, AnswerShares } from './answer-shares.ts';
import { decide } from './dispute.ts';
import { type AskedOf, type HostRecord, withMailboxes } from './host-record.ts';
import { afterAgreement, afterAlone, mailboxComplaint, trialOf } from './mailbox-record.ts';
import type { HostRef } from './roster.ts';

// Which answers of mail servers are put to a second host before they are charged, and who is believed then. In peace none
// is: a host that begins to lie is noticed by what it says of many (`answer-shares.ts`), and by samples of what was
// answered already (`comparisons.ts`); from then on all that it says is put to another until it has spoken the truth
// often enough, or is out (`mailbox-record.ts`).

/** One address that somebody asked about. */
export type Asked = AskedOf & {
  /** A listed provider; null: any other. */
  readonly provider: string | null;
};
type Work = Pick<Asked, 'account' | 'provider'>;
/** What a host said of it. */
export type Answered = { readonly host: HostRef; readonly answer: Answer };

/** What a batch asks of it. */
export type MailboxTrust = {
  /**
   * A host gave an answer.
   * @param as whether it counts: `first` of hosts, and of its domain's addresses in the batch; `second`, of addresses that
   * another was doubted for; `again`, like one of the same domain, with which it has much in common
   * @returns whether another host is to be asked before it is charged
   */
  hear(answered: Answered, asked: Asked, as: 'first' | 'second' | 'again'): boolean;
  /** Whether a host's word is of use where another is doubted for this answer. */
  isWitness(host: HostRef, answer: Answer, asked: Work): boolean;
  /** All that were asked have answered. @returns what is believed; null: nothing */
  judge(said: readonly Answered[], asked: Asked): Answer | null;
};

/** What hosts say when another is doubted: of other addresses than those that come to them first. */
const SECOND = 'second';
/** Answers put to a second host for doubt alone: at once, and of all answers in the long run. */
const DOUBTS = { most: 200, share: 0.01 };

export class MailboxAnswers implements MailboxTrust {
  readonly #now: () => number;
  readonly #recordOf: (instance: string) => HostRecord;
  readonly #change: (host: HostRef, change: (record: HostRecord, nowMs: number) => HostRecord) => void;
  readonly #shares = new AnswerShares();
  readonly #compares: () => boolean;
  #doubtsLeft = DOUBTS.most;

  constructor(
    now: () => number,
    recordOf: (instance: string) => HostRecord,
    change: (host: HostRef, change: (record: HostRecord, nowMs: number) => HostRecord) => void,
    compares: () => boolean,
  ) {
    this.#compares = compares;
    this.#now = now;
    this.#recordOf = recordOf;
    this.#change = change;
  }

  hear({ host, answer }: Answered, asked: Asked, as: 'first' | 'second' | 'again'): boolean {
    if (!this.#compares()) return false;
    const keys = keysOf(asked);
    this.#doubtsLeft = Math.min(DOUBTS.most, this.#doubtsLeft + DOUBTS.share);
    if (as === 'second') this.#shares.note(host.host, [SECOND], answer);
    if (as === 'second') return false;
    if (as === 'first') this.#shares.note(host.host, keys, answer);
    const { mailboxes } = this.#recordOf(host.instance);
    const now = this.#now();
    const trial = trialOf(mailboxes, asked.account, now);
    // What an account's own addresses brought about is no matter of others, and one that is out is believed of nothing.
    if (trial === 'own' || mailboxComplaint(mailboxes, now) !== null) return true;
    if (trial === 'none' && !this.#shares.isSuspect(host.host, keys, answer)) return false;
    if (this.#doubtsLeft < 1) return false;
    this.#doubtsLeft -= 1;
    return true;
  }

  isWitness(host: HostRef, answer: Answer, asked: Work): boolean {
    return !this.#shares.isOneWord(host.host, [...keysOf(asked), SECOND], answer);
  }

  judge(answered: readonly Answered[], asked: Asked): Answer | null {
    const keys = [...keysOf(asked), SECOND];
    const all = answered.map(({ host, answer }) => ({ host: host.host, answer }));
    const said = all.map(({ host, answer }) => {
      const against = all.filter((other) => other.answer !== answer);
      const rivals = against.length > 0 ? against : [null];
      return { host, answer, isOneWord: rivals.some((other) => this.#shares.isOneWord(host, keys, answer, other)) };
    });
    const { answer, alone, agreed } = decide(said);
    for (const second of answered.slice(1)) this.#shares.learn(keys, second.answer);
    const now = this.#now();
    for (const { host } of answered) {
      if (alone.includes(host.host))
        this.#change(host, (record) =>
          withMailboxes(record, afterAlone(record.mailboxes, asked, asked.account, now), now),
        );
      if (answer === null || !agreed.includes(host.host)) continue;
      const worth = this.#shares.confirm(host.host, keys, answer);
      this.#change(host, (record) =>
        withMailboxes(record, afterAgreement(record.mailboxes, asked.account, worth, now), now),
      );
    }
    return answer;
  }
}

function keysOf({ account, provider }: Work): readonly string[] {
  const keys = [`account ${account}`, ALL];
  return provider === null ? keys : [...keys, `provider ${provider}`];
}
