import type { Outcome } from '../../../schema/evidence.ts';
import type { SessionResult } from '../limits/permit.ts';
import { testable } from '../meaning/controls.ts';
import { outcomeOfDemand } from '../meaning/outcome.ts';
import { cooling } from '../pool/open-session.ts';
import type { Fate, Held } from '../pool/held-session.ts';
import type { RecipientProbe } from '../recipients/recipient-probe.ts';
import { NOBODY, RecipientQueue } from '../recipients/recipient-queue.ts';
import type { MadeUpPlan } from '../session/next-command.ts';
import { secureSession } from '../session/secure.ts';
import type { TransactionEnd, TransactionResult } from '../session/transaction-result.ts';
import type { Way } from './consequence.ts';
import type { HostProbe } from './host-probe.ts';
import type { ParallelSessions } from './parallel.ts';
import { putToTest } from './put-to-test.ts';
import { howItWent, isCutShort, isPlain, judgedIn, judges, putOffAt } from './trust.ts';
import type { VisitRecord } from './visit-record.ts';

/** If TLS was our own choice, the lack of it is no evidence. */
const CHOSEN: Outcome = { kind: 'unprobed', why: 'host', waitS: null };

/** How a session is given up, and where to ask next. */
export type Parting = {
  readonly way: Way;
  readonly fate: Fate;
  readonly result: SessionResult;
  /** It failed beside others: they may be the reason. */
  readonly isCrowded?: boolean;
  /** What may have been meant for the domains that it served before. */
  readonly provisional?: TransactionResult;
};

type Whom = { readonly recipients: readonly RecipientProbe[]; readonly madeUp: MadeUpPlan };

/**
 * What a visit asks in one session, and what it makes of the replies: a server is trusted as far as `trust.ts` allows;
 * `consequence.ts` says what the end of a session is evidence of, and where to ask next.
 */
export class Conversation {
  readonly #host: HostProbe;
  readonly #record: VisitRecord;
  readonly #parallel: ParallelSessions;
  readonly #held: Held;
  /** The recipients it was acquired for; none: for the made-up mailbox alone. */
  readonly #recipients: readonly RecipientProbe[];
  /** A mailbox was judged in it. */
  #isServed = false;

  constructor(
    host: HostProbe,
    record: VisitRecord,
    parallel: ParallelSessions,
    held: Held,
    recipients: readonly RecipientProbe[],
  ) {
    this.#host = host;
    this.#record = record;
    this.#parallel = parallel;
    this.#held = held;
    this.#recipients = recipients;
  }

  /** Asks, and again after STARTTLS if the server demands it. */
  async run(): Promise<Parting> {
    const { session, permit } = this.#held;
    const { probe, target, sessions } = this.#host;
    const alone = this.#recipients.length === 0;
    session.complaint = null;
    if (session.early === null) probe.noteGreeted(target.host);
    const waitS = permit.unknown.waitS(permit.account);
    if (waitS > 0) {
      const { failure } = cooling(waitS);
      return { way: this.#host.conclude({ kind: 'failed', failure, alone }), fate: this.#open, result: 'neutral' };
    }
    if (session.patient) sessions.budget.bearsMore();
    if (session.offers.tarpit) sessions.budget.expectTarpit();
    if (this.#record.tlsFirst && session.offers.startTls && (await secureSession(session, false, CHOSEN)) !== null) {
      this.#record.tlsFirst = false;
      return this.#part('same_address', 'over');
    }
    for (;;) {
      const whom = this.#whomToAsk();
      if (whom === null) return this.#part('same_address', this.#open);
      const result = await this.#ask(whom);
      const parting = this.#judge(result);
      if (parting !== null) return parting;
      const { ending, second } = result;
      const tested = second !== null && this.#mayTest ? await putToTest(this.#host, this.#held, result, second) : null;
      const heard = tested?.result ?? result;
      this.#isServed ||= judges(heard);
      const way = this.believe(heard, whom.recipients);
      if (ending.kind !== 'tls_demanded') return this.#part(way, this.#fateAfter(tested?.last ?? ending));
      const refusal = outcomeOfDemand(ending.stage, ending.answer);
      const blocked = await secureSession(session, ending.stage === 'rcpt', refusal);
      if (blocked !== null)
        return this.#part(this.#host.conclude({ kind: 'failed', failure: blocked.failure, alone }), 'over');
    }
  }

  /** The replies count. @returns where to ask next, by how the transaction ended */
  believe(result: TransactionResult, recipients: readonly RecipientProbe[]): Way {
    const { answers, ending } = result;
    this.#host.hear(result);
    const refusedAlike = this.#host.clientRefusals.refused ? (answers.at(-1) ?? null) : null;
    const alone = this.#recipients.length === 0;
    return this.#host.conclude({ kind: 'asked', alone, ending, recipients, answered: answers.length, refusedAlike });
  }

  /** The recipients that can be asked about now; null: none. */
  #whomToAsk(): Whom | null {
    const { probe, target, catchAll, sessions } = this.#host;
    const { offers, early } = this.#held.session;
    if (early === null) probe.noteSmtpUtf8(target.host, offers.smtpUtf8);
    let recipients = this.#host.remaining(this.#recipients);
    // Without SMTPUTF8, a recipient whose local part is not ASCII cannot be named (RFC 6531 §3.4).
    if (!offers.smtpUtf8 && recipients[0]?.utf8 === true) {
      this.#host.leave(recipients);
      recipients = [];
    }
    const { plan } = catchAll;
    if (recipients.length === 0 && plan !== 'owed') return null;
    // A tarpit is asked about the made-up mailbox in a session of its own.
    return { recipients, madeUp: sessions.budget.isSlow && recipients.length > 1 ? 'known' : plan };
  }

  /** One transaction. */
  #ask({ recipients, madeUp }: Whom): Promise<TransactionResult> {
    const { session, permit } = this.#held;
    const queue = new RecipientQueue(recipients, this.#host);
    const smtpUtf8 = recipients[0]?.utf8 ?? false;
    const callForHelp = (): void => {
      if (!this.#record.tlsFirst && this.#host.wantsParallel && !permit.isDue()) this.#parallel.call();
    };
    this.#host.waiting = smtpUtf8 ? NOBODY : queue;
    // Unexplained replies may be tested in a session that has served no one else.
    const test = session.turn === 0 ? this.#host.mayTest : null;
    return this.#host.ask(session, { queue, smtpUtf8, permit, madeUp, test, onNamed: callForHelp });
  }

  /** Whether the replies may be due to something other than the mailboxes; null: they may not. */
  #judge(result: TransactionResult): Parting | null {
    const { session, permit } = this.#held;
    const { turn } = session;
    const plain = isPlain(result);
    if (session.early !== null && !this.#keepsOffer(plain)) return this.#startInOrder();
    const isAlone = this.#parallel.state === 'none';
    // Complaints in shared or parallel sessions are ignored.
    const putOff = turn === 0 && isAlone ? putOffAt(session.complaint) : null;
    if (putOff !== null && permit.deferred(putOff)) return this.#putOff(result);
    if (plain) return null;
    if (turn > 0 && isAlone && result.ending.kind === 'finished' && !this.#needsTest(result))
      return {
        way: 'same_address',
        fate: this.#open,
        result: judges(judgedIn(result)) ? 'served' : 'neutral',
        provisional: result,
      };
    const isCutByOthers = this.#host.sessions.budget.isTarpit && isCutShort(result);
    return turn > 0 || !isAlone || isCutByOthers ? this.#distrust(result) : null;
  }

  /** An unexplained refusal: a test needs a session that has served no one else. */
  #needsTest({ answers }: TransactionResult): boolean {
    const { domain } = this.#host.probe;
    return answers.some((answer) => testable(answer, { local: answer.recipient.local, domain }) !== null);
  }

  /** Whether a server that got commands before its greeting did as it had offered. */
  #keepsOffer(plain: boolean): boolean {
    const { session, permit } = this.#held;
    const { early } = session;
    if (!plain || early?.isKept !== true) return false;
    session.early = null;
    early.keep(session);
    permit.accepted();
    const { probe, target } = this.#host;
    probe.noteGreeted(target.host);
    probe.noteSmtpUtf8(target.host, session.offers.smtpUtf8);
    return true;
  }

  /** It did not: nothing that it said counts, and it is asked again in order. */
  #startInOrder(): Parting {
    this.#held.session.early?.drop();
    this.#record.early = false;
    this.#host.clientRefusals.startOver();
    return { way: 'same_address', fate: 'destroy', result: 'neutral' };
  }

  /**
   * A session shared with earlier domains, or parallel to another, has failed this domain, or sent a reply that may
   * have been meant for the others. Plain verdicts count; a recipient without one is asked about again in a session of
   * its own.
   */
  #distrust(result: TransactionResult): Parting {
    const { complaint, turn } = this.#held.session;
    const judged = judgedIn(result);
    if (complaint !== null) this.#parallel.dismiss();
    if (turn > 0) this.#host.clientRefusals.doubt();
    else this.#host.clientRefusals.startOver();
    this.#host.hear(judged);
    this.#record.own = true;
    return {
      way: 'same_address',
      fate: this.#fateAfter(result.ending),
      result: judges(judged) ? 'served' : 'neutral',
      isCrowded: this.#parallel.state !== 'none',
    };
  }

  /**
   * The server deferred the session, apparently because of our number of connections. Its verdicts count. The others
   * are asked about again when the limits, which know about it now, allow another session; not if it was said at RCPT,
   * which the limits do not learn.
   */
  #putOff(result: TransactionResult): Parting {
    const { complaint } = this.#held.session;
    const judged = judgedIn(result);
    const isServed = judges(judged);
    const isAtRcpt = complaint?.when === 'rcpt';
    this.#host.clientRefusals.startOver();
    this.#host.hear(judged);
    return {
      way: isAtRcpt ? this.#host.conclude({ kind: 'put_off', alone: this.#recipients.length === 0 }) : 'same_address',
      fate: result.ending.kind === 'silent' ? 'destroy' : 'quit',
      // What one domain says at RCPT counts as always: several in a row start a cool-down.
      result: howItWent(isAtRcpt ? complaint : null, isServed),
    };
  }

  /** The session is shared with no one and parallel to none, and the server does not refuse everyone. */
  get #mayTest(): boolean {
    const isAlone = this.#held.session.turn === 0 && this.#parallel.state === 'none';
    return isAlone && !this.#host.clientRefusals.refused;
  }

  #part(way: Way, fate: Fate): Parting {
    return { way, fate, result: howItWent(this.#held.session.complaint, this.#isServed) };
  }

  #fateAfter(ending: TransactionEnd): Fate {
    if (ending.kind === 'silent') return 'destroy';
    return ending.kind === 'finished' ? this.#open : 'quit';
  }

  /** An open session is handed on; an implicit MX has no other domains. */
  get #open(): Fate {
    return this.#host.probe.mxFound ? 'hand_on' : 'quit';
  }
}
