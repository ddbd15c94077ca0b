import { type Answer, ANSWERS, type Reply } from './answer.ts';
import { ALL, AnswerShares, SECONDS } from './answer-shares.ts';
import { decide } from './dispute.ts';
import { type AskedOf, type HostRecord, withMailboxes } from './host-record.ts';
import {
  afterAgreement,
  afterAlone,
  isDiscredited,
  mailboxComplaint,
  trialOf,
  withoutWordOf,
} from './mailbox-record.ts';
import { afterWitness, isWitness } from './resolver-record.ts';
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
export type Answered<A = Answer> = { readonly host: HostRef; readonly answer: A };

/** What a batch asks of it. */
export type MailboxTrust = Pick<MailboxAnswers, 'hear' | 'isWitness' | 'judge' | 'streak'>;
/**
 * Whether an answer counts: `first` of hosts, and of its domain's addresses in the batch; `again`, like one of the same
 * domain, with which it has much in common; or what the host answered that was asked before it.
 */
type As = 'first' | 'again' | { readonly after: Answer | null };

/** Answers put to a second host for doubt alone: at once, and of all answers in the long run. */
const DOUBTS = { most: 200, share: 0.01 };
/** Of answers that are doubted one in this many is put to two others. */
const ASK_TWO_EVERY = 4;

export class MailboxAnswers {
  readonly #now: () => number;
  readonly #recordOf: (instance: string) => HostRecord;
  readonly #change: (host: HostRef, change: (record: HostRecord, nowMs: number) => HostRecord) => void;
  readonly #shares = new AnswerShares();
  readonly #compares: () => boolean;
  #doubtsLeft = DOUBTS.most;
  #doubted = 0;

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

  /**
   * A host gave an answer.
   * @returns how many other hosts are to be asked before it is charged: one, or two all the same, since two may lie alike
   */
  hear({ host, answer }: Answered<Reply>, asked: Asked, as: As): 0 | 1 | 2 {
    if (!this.#compares()) return 0;
    const keys = keysOf(asked);
    this.#doubtsLeft = Math.min(DOUBTS.most, this.#doubtsLeft + DOUBTS.share);
    if (typeof as === 'object') {
      if (as.after !== null) this.#shares.note(host.host, [afterOf(as.after)], answer);
      return 0;
    }
    if (as === 'first') this.#shares.note(host.host, keys, answer);
    const { mailboxes } = this.#recordOf(host.instance);
    const now = this.#now();
    const trial = trialOf(mailboxes, asked.account, now);
    // What an account's own addresses brought about is no matter of others, and one that is out is believed of nothing.
    if (trial === 'own' || mailboxComplaint(mailboxes, now) !== null) return this.#doubt();
    if (trial === 'none' && !this.#shares.isSuspect(host.host, keys, answer)) return 0;
    if (this.#doubtsLeft < 1) return 0;
    this.#doubtsLeft -= 1;
    return this.#doubt();
  }

  /** How often other hosts have said the same as a process since it last stood alone. */
  streak(instance: string): number {
    return this.#recordOf(instance).mailboxes.streak;
  }

  /** Whether a host's word is of use where another is doubted for this answer, or says something else. */
  isWitness(host: HostRef, answer: Answer, asked: Work): boolean {
    // A resolver that has found nothing lately denies everything, for all that is known.
    if (answer === 'denies') return isWitness(this.#recordOf(host.instance).resolver, this.#now());
    return !this.#shares.isOneWord(host.host, [...keysOf(asked), ...AFTER], answer);
  }

  /** All that were asked have answered. @returns what is believed; null: nothing */
  judge(answered: readonly Answered[], asked: Asked): Answer | null {
    const keys = keysOf(asked);
    const said = answered.map((one) => ({
      ...one,
      host: one.host.host,
      isOneWord: this.#isOneWord(one, answered, keys),
    }));
    const { answer, alone, agreed } = decide(said);
    for (const second of answered.slice(1))
      if (second.answer !== 'denies') this.#shares.learn(keysOf(asked), second.answer);
    const atMs = this.#now();
    const firm = answer !== null && answer !== 'denies';
    // If two differ and there is no third, neither is believed by its own word until the other agrees with it.
    const isOpen = answer === null && said.length === 2;
    for (const { host, answer: own } of answered) {
      if (own !== 'denies' && (alone.includes(host.host) || (isOpen && own !== 'defers'))) {
        const isOneWord = said.some((one) => one.host === host.host && one.isOneWord);
        const by = isOneWord ? [] : answered.flatMap((one) => (one.answer === own ? [] : [one.host.instance]));
        this.#change(host, (record) =>
          withMailboxes(record, afterAlone(record.mailboxes, { ...asked, atMs, firm, by }), atMs),
        );
      }
      if (own !== answer || !agreed.includes(host.host)) continue;
      // What a resolver denied and somebody reached is believed as often as it has found others, and no oftener.
      if (own !== 'denies') this.#agree(host, this.#shares.confirm(host.host, keysOf(asked), own), asked.account);
      else if (alone.length > 0)
        this.#change(host, (record) => ({ ...record, resolver: afterWitness(record.resolver, atMs) }));
    }
    // Two that lie alike outvote a third until it shows that they say one thing of everybody.
    const isOut = (instance: string): boolean => isDiscredited(this.#recordOf(instance).mailboxes, atMs);
    for (const { host } of answered)
      if (this.#recordOf(host.instance).mailboxes.alone.length > 0)
        this.#change(host, (record) => withMailboxes(record, withoutWordOf(record.mailboxes, isOut), atMs));
    return answer;
  }

  #doubt(): 1 | 2 {
    this.#doubted += 1;
    return this.#doubted % ASK_TWO_EVERY === 0 ? 2 : 1;
  }

  #agree(host: HostRef, worth: number, account: string): void {
    const now = this.#now();
    this.#change(host, (record) => withMailboxes(record, afterAgreement(record.mailboxes, account, worth, now), now));
  }

  /** Whether what one host says counts for nothing against what the others say. */
  #isOneWord({ host, answer }: Answered, all: readonly Answered[], keys: readonly string[]): boolean {
    const { mailboxes, resolver } = this.#recordOf(host.instance);
    if (answer === 'denies') return !isWitness(resolver, this.#now());
    if (mailboxComplaint(mailboxes, this.#now()) !== null) return true;
    const rivals = all.flatMap((one) =>
      one.answer === answer ? [] : [one.answer === 'denies' ? null : { host: one.host.host, answer: one.answer }],
    );
    const against = rivals.length > 0 ? rivals : [null];
    return against.some((other) => this.#shares.isOneWord(host.host, keys, answer, other));
  }
}

/** What hosts say after this answer of another: after one that says the opposite of the truth they all say one thing. */
function afterOf(answer: Answer): string {
  return `${SECONDS}${answer}`;
}
const AFTER = [...ANSWERS, 'denies' as const].map(afterOf);

function keysOf({ account, provider }: Work): readonly string[] {
  const keys = [`account ${account}`, ALL];
  return provider === null ? keys : [...keys, `provider ${provider}`];
}
