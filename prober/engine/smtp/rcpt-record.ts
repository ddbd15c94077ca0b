import { complaintOf } from '../meaning/complaint.ts';
import { MEANINGS } from '../meaning/rules/meanings.ts';
import { type RcptAnswer, type Second, secondControl, testable } from '../meaning/controls.ts';
import { readReply } from '../meaning/outcome.ts';
import type { RecipientProbe } from '../recipients/recipient.ts';
import type { Reply } from './wire/reply.ts';
import { demandsTls } from './session.ts';
import type { Asking, RcptReply, TestProgress, TransactionEnd, TransactionPlan } from './transaction-plan.ts';

/** `recipient`: null for the made-up mailbox. */
export type Rcpt = { readonly kind: 'rcpt'; readonly recipient: RecipientProbe | null; readonly local: string };

/** The RCPTs of one transaction: what was asked, what the server replied, and what that says about its budget. */
export class RcptRecord {
  readonly answers: RcptReply[] = [];
  madeUp: RcptAnswer | null = null;
  madeUpAsked = false;
  /** How many were sent, and how many of them answered. */
  named = 0;
  #answered = 0;
  /** The number of refusals in the session before the last acceptance; -1: there was none. */
  #acceptedAfter = -1;
  readonly #of: Asking;

  constructor(of: Asking) {
    this.#of = of;
  }

  get owesMadeUp(): boolean {
    const { madeUp } = this.#of.plan;
    return !this.madeUpAsked && (madeUp === 'owed' || (madeUp === 'if_accepted' && this.#acceptedAfter >= 0));
  }

  /** Refusals to be left for the made-up mailbox. */
  get madeUpRoom(): number {
    const { turn, asked, patient } = this.#of.session;
    // If others have used up the budget, a refusal would be in doubt (`attempt/random-recipient.ts`): it waits for
    // another session. Not after an acceptance that came after all of them, nor where the software is known to say so when it
    // has had enough.
    return turn > 0 && !patient && this.#acceptedAfter < asked.refusals ? 2 : 1;
  }

  get test(): TestProgress {
    const { test } = this.#of.plan;
    if (isControl(test)) return { state: 'under_way', refusals: refusalsIn(test), second: null };
    if (test === null) return NO_TEST;
    const second = secondControl(this.answers, this.madeUp, test.accepted);
    if (second !== null) return { state: 'due', refusals: refusalsIn(second), second };
    return test.expected ? TEST_EXPECTED : NO_TEST;
  }

  /** Every recipient was accepted, the made-up one too: a surplus reply would change nothing. */
  get allAccepted(): boolean {
    return this.madeUp !== null && [this.madeUp, ...this.answers].every(accepts);
  }

  ask({ recipient }: Rcpt): void {
    const { unknown, account } = this.#of.plan.permit;
    this.#of.session.asked.recipients += 1;
    this.named += 1;
    this.madeUpAsked ||= recipient === null;
    unknown.count(account);
  }

  /** The reply to a RCPT, which came after this long. @returns how it ends the transaction; null: it goes on */
  hear(rcpt: Rcpt, reply: Reply, waitedMs: number): TransactionEnd | null {
    const { session, terms, plan } = this.#of;
    const { asked, opening } = session;
    const named = { local: rcpt.local, domain: terms.domain };
    const read = readReply(opening.classify, 'rcpt', reply, named);
    const answer = { ...read, masked: testable(read, named) };
    // A reply that needs a test may be a server's way to say that it does not know a recipient.
    if (MEANINGS[read.said.meaning].isUnknown || answer.masked !== null) this.#answered += 1;
    else this.forget();
    if (!isControl(plan.test)) session.complaint ??= complaintOf('rcpt', answer);
    if (reply.code >= 400) asked.refusals += 1;
    terms.budget.noteReply(waitedMs, reply.code >= 400 ? asked.refusals : 0);
    if (this.#isFull(answer)) return { kind: 'limit' };
    if (demandsTls(session, answer)) return { kind: 'tls_demanded', stage: 'rcpt', answer };
    return rcpt.recipient === null ? this.#hearMadeUp(answer) : this.#hearRecipient(rcpt.recipient, answer);
  }

  /** The recipient is known, or the reply to its RCPT is not read, and it is asked about again. */
  forget(): void {
    const { unknown, account } = this.#of.plan.permit;
    this.#answered += 1;
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

  /** The end of a session is evidence only for the first recipient of a new one. */
  #hearRecipient(recipient: RecipientProbe, answer: RcptAnswer): TransactionEnd | null {
    const { turn, asked, complaint } = this.#of.session;
    const { endsSession, meaning } = answer.said;
    const counts = !endsSession || (turn === 0 && this.#before === 0);
    if (counts || (turn > 0 && complaint !== null)) {
      if (this.#isOfClient(answer)) this.#of.terms.clientRefusals.record(answer);
    } else this.#shortenBudget();
    if (counts) this.answers.push({ ...answer, recipient });
    if (endsSession) return { kind: 'over' };
    if (MEANINGS[meaning].accepts) {
      this.#acceptedAfter = asked.refusals;
      if (turn > 0) this.#of.terms.budget.noteBorne(asked.refusals);
    }
    return null;
  }

  #hearMadeUp(answer: RcptAnswer): TransactionEnd | null {
    this.madeUp = answer;
    if (!answer.said.endsSession) return null;
    // After others it came too late in the session: the next try gets an earlier place.
    const { turn, complaint } = this.#of.session;
    if (this.#before > 0 && (turn === 0 || complaint === null)) this.#shortenBudget();
    return { kind: 'over' };
  }

  /**
   * Not in a test, whose evidence is for the test alone, and not before it: a refusal that needs one is none of the client
   * if the server has accepted a recipient.
   */
  #isOfClient({ masked }: RcptAnswer): boolean {
    const { test } = this.#of.plan;
    if (isControl(test)) return false;
    return test === null || masked === null || (this.#acceptedAfter < 0 && test.accepted.length === 0);
  }

  /** The server takes no more in this transaction; one that says so at its first recipient takes none in the session. */
  #isFull(answer: RcptAnswer): boolean {
    const taken = this.#answered - 1;
    if (taken === 0 || !endsTransaction(answer)) return false;
    this.#of.terms.budget.limitTransaction(taken);
    this.#of.session.limitedAt ??= this.#borne;
    return true;
  }

  /** RCPTs that the session had answered before the last reply. */
  get #before(): number {
    return this.#of.session.asked.recipients - (this.named - this.#answered) - 1;
  }

  /** What the server had borne before the last reply, a refusal. */
  get #borne(): { readonly recipients: number; readonly refusals: number } {
    return { recipients: this.#before, refusals: this.#of.session.asked.refusals - 1 };
  }

  /** The server ended the session at the last command that it answered, or where it first took no more. */
  #shortenBudget(): void {
    const { recipients, refusals } = this.#of.session.limitedAt ?? this.#borne;
    this.#of.terms.budget.shorten(recipients, refusals);
  }
}

/** The transaction is the one of a test. */
function isControl(test: TransactionPlan['test']): test is Second<RecipientProbe> {
  return test !== null && 'kind' in test;
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

const NO_TEST: TestProgress = { state: 'none', refusals: 1, second: null };
const TEST_EXPECTED: TestProgress = { state: 'expected', refusals: 1, second: null };

function refusalsIn({ kind }: Second<unknown>): TestProgress['refusals'] {
  return kind === 'target' ? 2 : 1;
}
