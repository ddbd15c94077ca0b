import type { Outcome } from '../../../schema/evidence.ts';
import { findingOf, readByControls, type Second } from '../meaning/controls.ts';
import { outcomeOfDemand } from '../meaning/outcome.ts';
import type { SessionResult } from '../limits/permit.ts';
import type { Fate, Held } from '../site/worker.ts';
import { secureSession } from '../smtp/session.ts';
import { Transaction } from '../smtp/transaction.ts';
import type { RcptReply, TransactionEnd, TransactionPlan, TransactionResult } from '../smtp/transaction-plan.ts';
import type { Attempt } from './attempt.ts';
import type { Findings } from './findings.ts';
import { allCounts, howItWent, judgedIn, judges, putOffAt, type SessionKind, type Way } from './next-step.ts';
import type { RecipientProbe } from '../recipients/recipient.ts';
import { RecipientQueue } from '../recipients/recipient-queue.ts';
import { madeUpLocal } from './random-recipient.ts';

/** If TLS was our own choice, the lack of it is no evidence. */
const CHOSEN: Outcome = { kind: 'unprobed', why: 'host', waitS: null };

type TlsDemand = Extract<TransactionEnd, { kind: 'tls_demanded' }>;

/** The replies of a transaction as read after a test, if there was one, and how the last transaction ended. */
type Tested = { readonly heard: TransactionResult; readonly last: TransactionEnd };

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
  readonly #untested: RcptReply[] = [];

  constructor(attempt: Attempt, held: Held, isBeside: boolean) {
    this.#attempt = attempt;
    this.#findings = attempt.findings;
    this.#held = held;
    this.#isBeside = isBeside;
  }

  async run(wanted: readonly RecipientProbe[]): Promise<Parting> {
    const { session, permit } = this.#held;
    const { probe, site } = this.#findings;
    session.complaint = null;
    this.#findings.since ??= permit.server.refusals.streak;
    if (this.#choosesTls && (await this.#secure(null, false)) !== null) return this.#part('same_address', 'over');
    for (;;) {
      probe.noteGreeted(session.offers.smtpUtf8);
      site.budget.bySoftware(session.offers);
      // Without SMTPUTF8, a recipient whose local part is not ASCII cannot be named (RFC 6531 §3.4).
      if (wanted[0]?.utf8 === true && !session.offers.smtpUtf8) this.#findings.leave(wanted);
      const remaining = wanted.filter((one) => this.#findings.isAskable(one));
      const queue = new RecipientQueue(remaining, (one) => this.#findings.hasTime && this.#findings.isAskable(one));
      const first = queue.first ?? null;
      // Of several sessions at a time only the first asks about the made-up mailbox.
      const madeUp = this.#isBeside ? 'known' : this.#findings.random.plan(first === null);
      if (first === null && madeUp !== 'owed') return this.#part('same_address', this.#fateAfter('finished'));
      if (this.#continues && !this.#hasRoom) return this.#part('same_address', 'quit');
      // Unexplained replies may be tested in a session that has served no one else.
      const test = this.#kind === 'own' ? this.#findings.mayTest : null;
      const result = await this.#ask({ queue, smtpUtf8: first?.utf8 ?? false, madeUp, test });
      if (this.#continues && isNothing(result)) return this.#part('same_address', 'destroy');
      const doubted = this.#doubt(result);
      if (doubted !== null) return doubted;
      const { second, ending } = result;
      const isTested = second !== null && this.#kind === 'own' && !this.#findings.clientRefusals.refused;
      if (!isTested) this.#untested.push(...result.answers.filter(({ masked }) => masked !== null));
      const { heard, last } = isTested ? await this.#test(result, second) : { heard: result, last: ending };
      this.#isServed ||= judges(heard);
      const way = this.#believe(heard, first);
      if (ending.kind === 'tls_demanded') {
        const blocked = await this.#secure(ending, wanted.length === 0);
        if (blocked !== null) return blocked;
      } else if (ending.kind !== 'limit' || way !== 'same_address') return this.#part(way, this.#fateAfter(last.kind));
      this.#continues = ending.kind === 'limit';
    }
  }

  /** STARTTLS by our own choice, or as demanded here before. */
  get #choosesTls(): boolean {
    const { session, permit } = this.#held;
    const isWanted = permit.server.wantsTls || this.#findings.probe.context.settings.startTls === 'always';
    return isWanted && !this.#attempt.isPlain && !session.secure && session.offers.startTls;
  }

  /** STARTTLS. @param demand null: by our own choice @returns null: the session goes on, otherwise it is over */
  async #secure(demand: TlsDemand | null, alone: boolean): Promise<Parting | null> {
    const { session, permit } = this.#held;
    const blocked = await secureSession(session, demand === null ? CHOSEN : outcomeOfDemand(demand));
    permit.server.wantsTls = blocked === null || (demand !== null && blocked.failure.isOurs);
    if (blocked === null) return null;
    const { failure } = blocked;
    const isOurs = demand === null || (failure.isOurs && !this.#attempt.isPlain);
    this.#attempt.isPlain ||= demand === null;
    if (this.#kind === 'parallel') this.#attempt.lessen(false);
    const isDoubtful = this.#kind !== 'own' || isOurs;
    this.#attempt.isOwn ||= isDoubtful;
    return this.#part(
      isDoubtful ? 'same_address' : this.#findings.conclude({ kind: 'failed', failure, alone }),
      'over',
    );
  }

  get #hasRoom(): boolean {
    const { session, permit } = this.#held;
    const { budget } = this.#findings.site;
    const { asked } = session;
    return asked.refusals < budget.refusalsMax && asked.recipients < budget.recipientsMax && !permit.isDue();
  }

  #ask(what: Pick<TransactionPlan, 'queue' | 'smtpUtf8' | 'madeUp' | 'test'>): Promise<TransactionResult> {
    const { session, permit } = this.#held;
    const { probe, site, clientRefusals } = this.#findings;
    const isTest = what.test === 'under_way';
    return new Transaction({
      ...what,
      session,
      sender: probe.context.settings.mailFrom,
      domain: probe.domain,
      site,
      clientRefusals,
      deadlineMs: probe.job.deadlineMs,
      madeUpLocal: () => madeUpLocal(probe.draws('name')),
      continues: isTest || this.#continues,
      permit,
      onNamed: () => {
        if (!isTest && !permit.isNarrow && !permit.isDue()) this.#attempt.callForHelp();
      },
    }).run();
  }

  /**
   * Replies that nothing explains are tested by two more RCPTs, in a session that is shared with no one and parallel to
   * none.
   */
  async #test(heard: TransactionResult, second: Second<RecipientProbe>): Promise<Tested> {
    const findings = this.#findings;
    const { trace } = this.#held.session.connection;
    trace?.('note', `tested by a made-up mailbox, then ${second.kind}`);
    const queue = new RecipientQueue([second.recipient], () => findings.hasTime);
    const smtpUtf8 = heard.answers[0]?.recipient.utf8 ?? false;
    const test = await this.#ask({ queue, smtpUtf8, madeUp: 'owed', test: 'under_way' });
    const { madeUp } = test;
    const finding = findingOf(heard.answers, madeUp, { kind: second.kind, answer: test.answers[0] ?? null });
    trace?.('note', `tested: ${finding}`);
    findings.noteFinding(finding);
    if (madeUp === null) return { heard, last: test.ending };
    const asked = [...this.#untested.splice(0), ...heard.answers];
    const answers = asked.map((answer) => readByControls(answer, madeUp, finding));
    const last = readByControls(heard.madeUp ?? madeUp, madeUp, finding);
    return { heard: { ...heard, answers, madeUp: last }, last: test.ending };
  }

  /** The replies count. @returns where to ask next, by how the transaction ended */
  #believe(result: TransactionResult, first: RecipientProbe | null): Way {
    const { answers, madeUp, ending } = result;
    if (ending.kind === 'void') this.#attempt.isOwn = true;
    this.#findings.hear(result);
    const refusedAlike = this.#findings.clientRefusals.refused ? (answers.at(-1) ?? null) : null;
    const isAnswered = answers.length > 0 || madeUp !== null;
    return this.#findings.conclude({ kind: 'asked', ending, first, isAnswered, refusedAlike });
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
    if (!isPutOff && allCounts(kind, result, findings.site.budget.isTarpit)) return null;
    const isCrowded = kind === 'parallel';
    if (isCrowded || complaint !== null) this.#attempt.lessen(complaint !== null);
    const judged = judgedIn(result);
    findings.clientRefusals.startOver(turn > 0);
    findings.hear(judged);
    this.#attempt.isOwn = true;
    const said = howItWent(isPutOff && putOff === 'rcpt' ? complaint : null, judges(judged));
    const fate = this.#fateAfter(result.ending.kind);
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

  /**
   * An open session is handed on. An implicit MX has no other domains; where we ask too much, the next would hear the
   * same; and one beside others ends, so that the server has fewer of them open.
   */
  #fateAfter(ending: TransactionEnd['kind']): Fate {
    if (ending === 'silent' || ending === 'void') return 'destroy';
    const isOpen = ending === 'finished' || ending === 'limit';
    const isOfUse = this.#findings.probe.mxFound && !this.#isBeside;
    return isOpen && isOfUse && this.#held.session.complaint?.saysTooMuch !== true ? 'hand_on' : 'quit';
  }
}

/** A further transaction that did not begin: the next session takes its place. */
function isNothing({ answers, madeUp, ending }: TransactionResult): boolean {
  if (answers.length > 0 || madeUp !== null) return false;
  return ending.kind === 'over' || (ending.kind === 'silent' && ending.silence === 'lost' && ending.named.length === 0);
}
