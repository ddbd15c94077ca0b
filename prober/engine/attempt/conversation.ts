import type { Outcome } from '../../../schema/evidence.ts';
import { findingOf, readByControls } from '../meaning/controls.ts';
import { outcomeOfDemand } from '../meaning/outcome.ts';
import type { SessionResult } from '../limits/permit.ts';
import type { Fate, Held } from '../site/worker.ts';
import { secureSession } from '../smtp/session.ts';
import type { MadeUpPlan } from '../smtp/transaction-plan.ts';
import type { RcptReply, TransactionEnd, TransactionResult } from '../smtp/transaction-plan.ts';
import type { Attempt } from './attempt.ts';
import type { Findings } from './findings.ts';
import { howItWent, judgedIn, judges, putOffAt, type SessionKind, type Way, whatCounts } from './next-step.ts';
import type { RecipientProbe } from '../recipients/recipient.ts';
import { RecipientQueue } from '../recipients/recipient-queue.ts';

/** If TLS was our own choice, the lack of it is no evidence. */
const CHOSEN: Outcome = { kind: 'unprobed', why: 'host', waitS: null };

/** How a session ended for a domain, and where to ask next. */
type Parting = {
  readonly way: Way;
  readonly fate: Fate;
  readonly result: SessionResult;
  /** It failed beside others: they may be the reason. */
  readonly isCrowded: boolean;
};

/** What is said for one domain in one session: as many transactions as the server wants, STARTTLS and a test included. */
export class Conversation {
  readonly #attempt: Attempt;
  readonly #findings: Findings;
  readonly #held: Held;
  /** Another was at work when it began, and asks about the made-up mailbox. */
  readonly #isBeside: boolean;
  #isServed = false;
  /** A transaction for this domain came before in this session. */
  #continues = false;
  /** Of its earlier transactions: a limit kept them from a test, and that of a later one counts for them too. */
  #untested: readonly RcptReply[] = [];

  constructor(attempt: Attempt, held: Held, isBeside: boolean) {
    this.#attempt = attempt;
    this.#findings = attempt.findings;
    this.#held = held;
    this.#isBeside = isBeside;
  }

  async run(wanted: readonly RecipientProbe[]): Promise<Parting> {
    const { session, permit } = this.#held;
    const { probe, target, site } = this.#findings;
    session.complaint = null;
    this.#findings.since ??= permit.server.refusals.streak;
    if (!(await this.#secureFirst())) return this.#part('same_address', 'over');
    for (;;) {
      this.#attempt.patienceMs = Infinity;
      probe.noteGreeted(target.host, session.offers.smtpUtf8);
      site.budget.bySoftware({ isPatient: session.patient, isTarpit: session.offers.tarpit });
      const recipients = this.#whomToAsk(wanted);
      if (recipients.length === 0 && this.#madeUpPlan(true) !== 'owed') return this.#part('same_address', this.#open);
      if (this.#continues && !this.#hasRoom) return this.#part('same_address', 'quit');
      const result = await this.#ask(recipients);
      if (this.#continues && isNothing(result)) return this.#part('same_address', 'destroy');
      const doubted = this.#doubt(result);
      if (doubted !== null) return doubted;
      const { heard, last } = await this.#test(result);
      this.#isServed ||= judges(heard);
      const way = this.#believe(heard, recipients);
      const { ending } = result;
      if (ending.kind === 'tls_demanded') {
        const blocked = await this.#secure(ending, wanted.length === 0);
        if (blocked !== null) return blocked;
      } else if (ending.kind !== 'limit' || way !== 'same_address') return this.#part(way, this.#fateAfter(last));
      this.#continues = ending.kind === 'limit';
    }
  }

  /** STARTTLS by our own choice, or as demanded here before. @returns whether the session goes on */
  async #secureFirst(): Promise<boolean> {
    const { session, permit } = this.#held;
    const isWanted = permit.server.wantsTls || this.#findings.probe.context.settings.startTls === 'always';
    if (!isWanted || this.#attempt.isPlain || session.secure || !session.offers.startTls) return true;
    if ((await secureSession(session, CHOSEN)) === null) return true;
    this.#attempt.isPlain = true;
    permit.server.wantsTls = false;
    return false;
  }

  /** STARTTLS as demanded. @returns null: it may be asked again */
  async #secure(
    { stage, answer }: Extract<TransactionEnd, { kind: 'tls_demanded' }>,
    alone: boolean,
  ): Promise<Parting | null> {
    const { session, permit } = this.#held;
    const blocked = await secureSession(session, outcomeOfDemand(stage, answer));
    permit.server.wantsTls = blocked === null || blocked.failure.isOurs;
    if (blocked === null) return null;
    if (this.#kind === 'parallel') this.#attempt.lessen(false);
    const isDoubtful = this.#kind !== 'own' || (blocked.failure.isOurs && !this.#attempt.isPlain);
    this.#attempt.isOwn ||= isDoubtful;
    if (isDoubtful) return this.#part('same_address', 'over');
    return this.#part(this.#findings.conclude({ kind: 'failed', failure: blocked.failure, alone }), 'over');
  }

  /** Those of the recipients that can be asked about now. */
  #whomToAsk(recipients: readonly RecipientProbe[]): readonly RecipientProbe[] {
    const remaining = recipients.filter((recipient) => this.#findings.isAskable(recipient));
    if (this.#held.session.offers.smtpUtf8 || remaining[0]?.utf8 !== true) return remaining;
    // Without SMTPUTF8, a recipient whose local part is not ASCII cannot be named (RFC 6531 §3.4).
    this.#findings.leave(remaining);
    return [];
  }

  get #hasRoom(): boolean {
    const { session, permit } = this.#held;
    const { budget } = this.#findings.site;
    const { asked } = session;
    return asked.refusals < budget.refusalsMax && asked.recipients < budget.recipientsMax && !permit.isDue();
  }

  #ask(recipients: readonly RecipientProbe[]): Promise<TransactionResult> {
    const { session, permit } = this.#held;
    const findings = this.#findings;
    return findings.ask(session, {
      queue: new RecipientQueue(recipients, (one) => findings.hasTime && findings.isAskable(one)),
      smtpUtf8: recipients[0]?.utf8 ?? false,
      continues: this.#continues,
      permit,
      madeUp: this.#madeUpPlan(recipients.length === 0),
      // Unexplained replies may be tested in a session that has served no one else.
      test: this.#kind === 'own' ? findings.mayTest : null,
      onNamed: () => {
        if (!permit.isDue()) this.#attempt.callForHelp();
      },
    });
  }

  /** Of several sessions at a time only the first asks about the made-up mailbox. */
  #madeUpPlan(isAlone: boolean): MadeUpPlan {
    return this.#isBeside ? 'known' : this.#findings.random.plan(isAlone);
  }

  /**
   * Replies that nothing explains are tested by two more RCPTs, in a session that is shared with no one and parallel to
   * none. @returns the replies as read then, and how the last transaction ended
   */
  async #test(heard: TransactionResult): Promise<{ heard: TransactionResult; last: TransactionEnd }> {
    const { second, ending } = heard;
    const findings = this.#findings;
    if (second === null || this.#kind !== 'own' || findings.clientRefusals.refused) {
      this.#untested = [...this.#untested, ...heard.answers.filter(({ masked }) => masked !== null)];
      return { heard, last: ending };
    }
    const { session, permit } = this.#held;
    session.connection.note(`tested by a made-up mailbox, then ${second.kind}`);
    const test = await findings.ask(session, {
      queue: new RecipientQueue([second.recipient], () => findings.hasTime),
      smtpUtf8: heard.answers[0]?.recipient.utf8 ?? false,
      continues: false,
      permit,
      madeUp: 'owed',
      test: second,
    });
    const { madeUp } = test;
    const finding = findingOf(heard.answers, madeUp, { kind: second.kind, answer: test.answers[0] ?? null });
    session.connection.note(`tested: ${finding}`);
    findings.noteFinding(finding);
    if (madeUp === null) return { heard, last: test.ending };
    const answers = [...this.#untested, ...heard.answers].map((answer) => readByControls(answer, madeUp, finding));
    this.#untested = [];
    const last = readByControls(heard.madeUp ?? madeUp, madeUp, finding);
    return { heard: { ...heard, answers, madeUp: last }, last: test.ending };
  }

  /** The replies count. @returns where to ask next, by how the transaction ended */
  #believe(result: TransactionResult, recipients: readonly RecipientProbe[]): Way {
    const { answers, ending } = result;
    if (ending.kind === 'void') this.#attempt.isOwn = true;
    this.#findings.hear(result);
    const refusedAlike = this.#findings.clientRefusals.refused ? (answers.at(-1) ?? null) : null;
    return this.#findings.conclude({ kind: 'asked', ending, recipients, answered: answers.length, refusedAlike });
  }

  /**
   * What follows if the replies may be due to something other than the mailboxes: what counts in any session is heard, and
   * recipients without it are asked about again in a session of their own. Null: all counts.
   */
  #doubt(result: TransactionResult): Parting | null {
    const { session, permit } = this.#held;
    const { complaint, turn } = session;
    const findings = this.#findings;
    const kind = this.#kind;
    const putOff = kind === 'own' ? putOffAt(complaint) : null;
    const isPutOff = putOff !== null && permit.refused(putOff);
    if (!isPutOff && whatCounts(kind, result, findings.site.budget.isTarpit) === 'all') return null;
    const isCrowded = kind === 'parallel';
    if (isCrowded || complaint !== null) this.#attempt.lessen(complaint !== null);
    const judged = judgedIn(result);
    findings.clientRefusals.startOver(turn > 0);
    findings.hear(judged);
    this.#attempt.isOwn = true;
    const said = howItWent(isPutOff && putOff === 'rcpt' ? complaint : null, judges(judged));
    const fate = this.#fateAfter(result.ending);
    // The limits do not learn what is said at RCPT. What one domain says there counts as always.
    if (isPutOff && putOff === 'rcpt') {
      const way = findings.conclude({ kind: 'put_off' });
      return { way, fate: fate === 'hand_on' ? 'quit' : fate, result: said, isCrowded };
    }
    // A refusal in a session of its own confirms this one, if the server has served nobody between them.
    if (complaint !== null && !isPutOff) findings.since = permit.server.refusals.streak;
    return { way: 'same_address', fate, result: said, isCrowded };
  }

  get #kind(): SessionKind {
    if (this.#isBeside || this.#attempt.isParallel) return 'parallel';
    return this.#held.session.turn > 0 ? 'shared' : 'own';
  }

  #part(way: Way, fate: Fate): Parting {
    return { way, fate, result: howItWent(this.#held.session.complaint, this.#isServed), isCrowded: false };
  }

  #fateAfter(ending: TransactionEnd): Fate {
    if (ending.kind === 'silent' || ending.kind === 'void') return 'destroy';
    return ending.kind === 'finished' || ending.kind === 'limit' ? this.#open : 'quit';
  }

  /**
   * An open session is handed on. An implicit MX has no other domains; where we ask too much, the next would hear the
   * same; and one beside others ends, so that the server has fewer of them open.
   */
  get #open(): Fate {
    const { complaint } = this.#held.session;
    const isUseful = this.#findings.probe.mxFound && !this.#isBeside && complaint?.saysTooMuch !== true;
    return isUseful ? 'hand_on' : 'quit';
  }
}

/** A further transaction that did not begin: the next session takes its place. */
function isNothing({ answers, madeUp, ending }: TransactionResult): boolean {
  if (answers.length > 0 || madeUp !== null) return false;
  return ending.kind === 'over' || (ending.kind === 'silent' && ending.silence === 'lost' && ending.named.length === 0);
}
