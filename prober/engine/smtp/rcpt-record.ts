import { complaintOf } from '../meaning/complaint.ts';
import { MEANINGS } from '../meaning/rules/meanings.ts';
import { type RcptAnswer, testable } from '../meaning/controls.ts';
import type { Recipient } from '../ports/ports.ts';
import type { RecipientProbe } from '../recipients/recipient.ts';
import type { Reply } from './wire/reply.ts';
import { demandsTls } from './session.ts';
import type { RcptReply, TransactionEnd, TransactionPlan } from './transaction-plan.ts';

/** `recipient`: null for the made-up mailbox. */
export type Rcpt = Recipient & { readonly kind: 'rcpt'; readonly recipient: RecipientProbe | null };

/** The RCPTs of one transaction: what was asked, what the server replied, and what that says about its budget. */
export class RcptRecord {
  readonly answers: RcptReply[] = [];
  madeUp: RcptAnswer | null = null;
  madeUpAsked = false;
  /** How many were sent. */
  named = 0;
  /** The number of refusals in the session before the last acceptance; -1: there was none. */
  #acceptedAfter = -1;
  readonly #plan: TransactionPlan;

  constructor(plan: TransactionPlan) {
    this.#plan = plan;
  }

  get owesMadeUp(): boolean {
    const { madeUp } = this.#plan;
    return !this.madeUpAsked && (madeUp === 'owed' || (madeUp === 'if_accepted' && this.#acceptedAfter >= 0));
  }

  /** Refusals to be left for the made-up mailbox. */
  get madeUpRoom(): number {
    const { turn, asked, offers } = this.#plan.session;
    // If others have used up the budget, a refusal would be in doubt (`attempt/random-recipient.ts`): it waits for
    // another session. Not after an acceptance that came after all of them, nor where the software is known to say so when it
    // has had enough.
    return turn > 0 && !offers.patient && this.#acceptedAfter < asked.refusals ? 2 : 1;
  }

  /** Every recipient was accepted, the made-up one too: a surplus reply would change nothing. */
  get allAccepted(): boolean {
    return this.madeUp !== null && accepts(this.madeUp) && this.answers.every(accepts);
  }

  /** The reply to a RCPT, which came after this long. @returns how it ends the transaction; null: it goes on */
  hear(rcpt: Rcpt, reply: Reply, waitedMs: number): TransactionEnd | null {
    const { session, site, test, permit } = this.#plan;
    const said = session.opening.classify('rcpt', reply, rcpt);
    const answer = { reply, said, masked: testable({ reply, said }, rcpt) };
    session.asked.recipients += 1;
    // A reply that needs a test may be a server's way to say that it does not know a recipient.
    if (!MEANINGS[said.meaning].isUnknown && answer.masked === null) permit.unknown.count(permit.account, -1);
    if (test !== 'under_way') session.complaint ??= complaintOf('rcpt', answer);
    if (reply.code >= 400) session.asked.refusals += 1;
    site.budget.noteReply(waitedMs, reply.code >= 400 ? session.asked.refusals : 0);
    if (this.#isFull(answer)) return { kind: 'limit' };
    if (demandsTls(session, answer)) return { kind: 'tls_demanded', stage: 'rcpt', answer };
    this.#take(rcpt.recipient, answer);
    return said.endsSession ? { kind: 'over' } : null;
  }

  /** Replies from the nth on do not count, or only acceptances. @returns the recipients that they were for */
  void(from: number, kept: 'none' | 'acceptances' = 'none'): RecipientProbe[] {
    this.madeUp = null;
    const lost: RecipientProbe[] = [];
    for (const answer of this.answers.splice(from))
      if (kept === 'acceptances' && accepts(answer)) this.answers.push(answer);
      else lost.push(answer.recipient);
    return lost;
  }

  /** The end of a session is evidence only for the first recipient of a new one. */
  #take(recipient: RecipientProbe | null, answer: RcptAnswer): void {
    const { session, site, clientRefusals } = this.#plan;
    const { turn, asked, complaint } = session;
    const counts = !answer.said.endsSession || (turn === 0 && asked.recipients === 1);
    const isComplaint = turn > 0 && complaint !== null;
    if (!counts && !isComplaint) site.budget.shorten(asked.recipients - 1, asked.refusals - 1);
    if (recipient === null) {
      this.madeUp = answer;
      return;
    }
    if ((counts || isComplaint) && this.#isOfClient(answer)) clientRefusals.record(answer);
    if (counts) this.answers.push({ ...answer, recipient });
    if (!accepts(answer)) return;
    this.#acceptedAfter = asked.refusals;
    if (turn > 0) site.budget.noteBorne(asked.refusals);
  }

  /**
   * Not in a test, whose evidence is for the test alone, and not before it: a refusal that needs one is none of the client
   * if the server has accepted a recipient.
   */
  #isOfClient({ masked }: RcptAnswer): boolean {
    const { test } = this.#plan;
    if (test === 'under_way') return false;
    return test === null || masked === null || (this.#acceptedAfter < 0 && test.accepted.length === 0);
  }

  /** The server takes no more in this transaction; one that says so at its first recipient takes none in the session. */
  #isFull(answer: RcptAnswer): boolean {
    const taken = this.answers.length + (this.madeUp === null ? 0 : 1);
    if (taken === 0 || !endsTransaction(answer)) return false;
    this.#plan.site.budget.transactionMax = taken;
    return true;
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

function accepts({ said }: RcptAnswer): boolean {
  return MEANINGS[said.meaning].accepts;
}
