import { complaintOf } from '../limits/complaint.ts';
import { MEANINGS } from '../meaning/rules/meanings.ts';
import { type RcptAnswer, type Second, secondControl, testable } from '../meaning/controls.ts';
import { readReply } from '../meaning/outcome.ts';
import type { RecipientProbe } from '../recipients/recipient.ts';
import type { Reply } from './wire/reply.ts';
import type { TestProgress } from './next-command.ts';
import { demandsTls, type Session } from './session.ts';
import type { Terms, TransactionPlan } from './transaction-plan.ts';
import type { RcptReply, TransactionEnd } from './transaction-plan.ts';

export type Named =
  | { readonly kind: 'rcpt'; readonly recipient: RecipientProbe }
  | { readonly kind: 'made_up'; readonly local: string };

/** The RCPTs of one transaction: what was asked, what the server replied, and what that says about its budget. */
export class RcptRecord {
  readonly answers: RcptReply[] = [];
  madeUp: RcptAnswer | null = null;
  isBegun = false;
  unanswered = 0;
  madeUpAsked = false;
  /** How many were named in this transaction. */
  named = 0;
  /** The number of refusals in the session before the last acceptance; -1: there was none. */
  #acceptedAfter = -1;
  readonly #session: Session;
  readonly #terms: Terms;
  readonly #plan: TransactionPlan;

  constructor(session: Session, terms: Terms, plan: TransactionPlan) {
    this.#session = session;
    this.#terms = terms;
    this.#plan = plan;
  }

  get asked(): Session['asked'] {
    return this.#session.asked;
  }

  get accepted(): boolean {
    return this.#acceptedAfter >= 0;
  }

  /** Refusals to be left for the made-up mailbox. */
  get madeUpRoom(): number {
    const { turn, asked, patient } = this.#session;
    // If others have used up the budget, a refusal would be in doubt (`attempt/random-recipient.ts`): it waits for
    // another session. Not after an acceptance that came after all of them, nor where the software is known to say so when it
    // has had enough.
    return turn > 0 && !patient && this.#acceptedAfter < asked.refusals ? 2 : 1;
  }

  get second(): Second<RecipientProbe> | null {
    const { test } = this.#plan;
    return test === null || 'kind' in test ? null : secondControl(this.answers, this.madeUp, test.accepted);
  }

  /** This is the transaction of a test: what it hears is evidence for the test alone. */
  get #isTest(): boolean {
    return this.#plan.test !== null && 'kind' in this.#plan.test;
  }

  /** A refusal that needs a test is none of the client if the server has accepted a recipient: the test shows it. */
  #isUntested({ masked }: RcptAnswer): boolean {
    const { test } = this.#plan;
    if (masked === null || test === null) return false;
    return !('kind' in test) && (this.accepted || test.accepted.length > 0);
  }

  get test(): TestProgress {
    const { test } = this.#plan;
    if (test !== null && 'kind' in test) return { state: 'under_way', refusals: refusalsIn(test) };
    const { second } = this;
    if (second !== null) return { state: 'due', refusals: refusalsIn(second) };
    return test?.expected === true ? TEST_EXPECTED : NO_TEST;
  }

  /** Every recipient was accepted, the made-up one too: a surplus reply would change nothing. */
  get allAccepted(): boolean {
    return this.madeUp !== null && [this.madeUp, ...this.answers].every(accepts);
  }

  ask({ kind }: Named): void {
    this.#session.asked.recipients += 1;
    this.isBegun = true;
    this.named += 1;
    this.unanswered += 1;
    this.madeUpAsked ||= kind === 'made_up';
    const { unknown, account } = this.#plan.permit;
    unknown.count(account);
  }

  /** The reply to a RCPT. @returns how it ends the transaction; null: it goes on */
  hear(named: Named, reply: Reply): TransactionEnd | null {
    const { asked, connection } = this.#session;
    const { unknown, account } = this.#plan.permit;
    this.unanswered -= 1;
    const answer = this.#read(named, reply);
    // A reply that needs a test may be a server's way to say that it does not know a recipient.
    const mayBeUnknown = MEANINGS[answer.said.meaning].isUnknown || answer.masked !== null;
    if (!mayBeUnknown) unknown.count(account, -1);
    if (!this.#isTest) this.#session.complaint ??= complaintOf('rcpt', answer);
    if (reply.code >= 400) {
      asked.refusals += 1;
      this.#terms.budget.noteRefusal(connection.waitedMs, asked.refusals);
    }
    if (this.#isFull(answer)) return { kind: 'limit' };
    return named.kind === 'rcpt' ? this.#hearRecipient(named.recipient, answer) : this.#hearMadeUp(answer);
  }

  /** The reply to a RCPT is not read: its recipient is asked about again. */
  forget(): void {
    const { unknown, account } = this.#plan.permit;
    this.unanswered -= 1;
    unknown.count(account, -1);
  }

  /** Replies from the nth on do not count, or only acceptances. @returns the recipients that they were for */
  void(from: number, kept: 'none' | 'acceptances' = 'none'): RecipientProbe[] {
    this.madeUp = null;
    const group = this.answers.splice(from);
    const stands = ({ said }: RcptReply): boolean => kept === 'acceptances' && accepts({ said });
    this.answers.push(...group.filter(stands));
    return group.filter((one) => !stands(one)).map(({ recipient }) => recipient);
  }

  #read(named: Named, reply: Reply): RcptAnswer {
    const local = named.kind === 'made_up' ? named.local : named.recipient.local;
    const asked = { local, domain: this.#terms.domain };
    const answer = readReply(this.#session.classify, 'rcpt', reply, asked);
    return { reply, said: answer.said, masked: testable(answer, asked) };
  }

  /** The end of a session is evidence only for the first recipient of a new one. */
  #hearRecipient(recipient: RecipientProbe, answer: RcptAnswer): TransactionEnd | null {
    const { turn, asked, complaint } = this.#session;
    const { clientRefusals } = this.#terms;
    if (demandsTls(this.#session, answer)) return { kind: 'tls_demanded', stage: 'rcpt', answer };
    const { endsSession, meaning } = answer.said;
    const counts = !endsSession || (this.#isFirst && turn === 0);
    if (counts || (turn > 0 && complaint !== null)) {
      if (!this.#isTest && !this.#isUntested(answer)) clientRefusals.record(answer);
    } else this.#shortenBudget();
    if (counts) this.answers.push({ ...answer, recipient });
    if (endsSession) return { kind: 'over' };
    if (MEANINGS[meaning].accepts) {
      this.#acceptedAfter = asked.refusals;
      if (turn > 0) this.#terms.budget.noteBorne(asked.refusals);
    }
    return null;
  }

  #hearMadeUp(answer: RcptAnswer): TransactionEnd | null {
    if (demandsTls(this.#session, answer)) return { kind: 'tls_demanded', stage: 'rcpt', answer };
    this.madeUp = answer;
    if (!answer.said.endsSession) return null;
    // After others it came too late in the session: the next try gets an earlier place.
    const { asked, turn, complaint } = this.#session;
    if (asked.recipients - this.unanswered > 1 && (turn === 0 || complaint === null)) this.#shortenBudget();
    return { kind: 'over' };
  }

  /** The server takes no more in this transaction; one that says so at its first recipient takes none in the session. */
  #isFull(answer: RcptAnswer): boolean {
    const taken = this.named - this.unanswered - 1;
    if (taken === 0 || !endsTransaction(answer)) return false;
    const { asked } = this.#session;
    this.#terms.budget.limitTransaction(taken);
    this.#session.limitedAt ??= { recipients: asked.recipients - this.unanswered - 1, refusals: asked.refusals - 1 };
    return true;
  }

  /** It is the first reply to a RCPT in this session. */
  get #isFirst(): boolean {
    return this.#session.asked.recipients - this.unanswered === 1;
  }

  /** The server ended the session at the last command that it answered, or where it first took no more. */
  #shortenBudget(): void {
    const { asked, limitedAt } = this.#session;
    const { recipients, refusals } = limitedAt ?? {
      recipients: asked.recipients - this.unanswered - 1,
      refusals: asked.refusals - 1,
    };
    this.#terms.budget.shorten(recipients, refusals);
  }
}

const RECIPIENTS = /\b(?:recipients?|rcpts?)\b/i;

/** "Too many recipients" ends a transaction (RFC 5321 §4.5.3.1.10); 421 and "too many errors" end the session. */
function endsTransaction(answer: RcptAnswer): boolean {
  const { said } = answer;
  const { code, enhanced, lines } = answer.reply;
  if (!said.endsSession || code === 421 || complaintOf('rcpt', answer) !== null) return false;
  return enhanced?.endsWith('.5.3') === true || RECIPIENTS.test(lines.join(' '));
}

const accepts = ({ said }: Pick<RcptAnswer, 'said'>): boolean => MEANINGS[said.meaning].accepts;

const NO_TEST: TestProgress = { state: 'none', refusals: 1 };
const TEST_EXPECTED: TestProgress = { state: 'expected', refusals: 1 };

function refusalsIn({ kind }: Second<unknown>): TestProgress['refusals'] {
  return kind === 'target' ? 2 : 1;
}
