import { wantsFreshTransaction } from '../catch-all/made-up.ts';
import { MEANINGS } from '../meaning/classify.ts';
import { type RcptAnswer, type Second, secondControl, testable } from '../meaning/controls.ts';
import { type ReadReply, readReply } from '../meaning/outcome.ts';
import { complaintOf } from '../limits/complaint.ts';
import type { RecipientAllowance } from '../limits/connection-request.ts';
import type { Stage } from '../ports/stage.ts';
import type { RecipientProbe } from '../recipients/recipient-probe.ts';
import type { RecipientSource } from '../recipients/recipient-queue.ts';
import { helloCommand, mailCommand, rcptCommand, RSET } from '../wire/command.ts';
import type { Reply } from '../wire/reply.ts';
import type { Silence } from '../wire/wire.ts';
import {
  type Command,
  isTestAhead,
  type Limits,
  type MadeUpPlan,
  nextCommand,
  type Progress,
  type TestProgress,
} from './next-command.ts';
import type { ClientRefusals } from './client-refusals.ts';
import { isBareRepeat, isHelloOf, isRepeated } from './out-of-step.ts';
import { GREETING, isGood, roomFor, type Session, readHello } from './session.ts';
import type { SessionBudget } from './session-budget.ts';
import type { RcptReply, TransactionEnd, TransactionResult } from './transaction-result.ts';

/** What is the same in all transactions about a domain at one address. */
export type Terms = {
  readonly sender: string;
  readonly domain: string;
  readonly budget: SessionBudget;
  readonly clientRefusals: ClientRefusals;
  /** Draws the made-up mailbox's local part. */
  readonly madeUpLocal: () => string;
};

/** `accepted`: by this server, before. `expected`: it has said in another session what is to be put to the test. */
export type MayTest = { readonly accepted: readonly RecipientProbe[]; readonly expected: boolean };

export type TransactionPlan = {
  /** Asked about in this order; those that the budget leaves are asked about in another session. */
  readonly queue: RecipientSource;
  readonly smtpUtf8: boolean;
  readonly madeUp: MadeUpPlan;
  /** What may be asked about that the server does not know. */
  readonly allowance: RecipientAllowance;
  /** Whether another account wants the session's place: once somebody was asked about, nobody else is. */
  readonly isDue: () => boolean;
  /** Whether replies may be put to the test after this transaction; or the test that it is. */
  readonly test: MayTest | Second<RecipientProbe> | null;
  /** Called after replies came and before more is asked. */
  readonly onReplies?: () => void;
};

/** A command that was sent, until its reply comes. */
type Sent =
  | { readonly kind: 'greeting' | 'ehlo' | Exclude<Command, 'rcpt'> }
  | { readonly kind: 'rcpt'; readonly recipient: RecipientProbe };

/** In a session that served before, nobody waits longer than this for RSET: another session is quicker. */
const RSET_MS = 10_000;

/** `opening`: what is still to be sent before the first RCPT. `fresh`: the second transaction, for the made-up mailbox. */
type Phase = Pick<Progress, 'fresh'> & { readonly opening: ('rset' | 'mail')[]; mailAccepted: boolean };

/**
 * Asks one server about recipients of one domain in one mail transaction: sends what `nextCommand` decides, as many commands
 * in one write as may go out together, and reads the replies.
 */
export class Transaction {
  readonly #session: Session;
  readonly #terms: Terms;
  readonly #plan: TransactionPlan;
  readonly #answers: RcptReply[] = [];
  readonly #outstanding: Sent[] = [];
  #phase: Phase;
  #madeUpLocal = '';
  /** No reply shows that it is not the one to the command before. */
  #isDoubtful = false;
  readonly #asked = { recipients: 0, unanswered: 0, madeUp: false };
  /** `acceptedAfter`: so many refusals of the session had come before the last acceptance. */
  readonly #heard: {
    accepted: boolean;
    acceptedAfter: number;
    second: Second<RecipientProbe> | null;
    madeUp: RcptAnswer | null;
  } = {
    accepted: false,
    acceptedAfter: -1,
    second: null,
    madeUp: null,
  };

  constructor(session: Session, terms: Terms, plan: TransactionPlan) {
    this.#session = session;
    this.#terms = terms;
    this.#plan = plan;
    this.#phase = { opening: session.inTransaction ? ['rset', 'mail'] : ['mail'], mailAccepted: false, fresh: false };
    session.inTransaction = true;
  }

  async run(): Promise<TransactionResult> {
    const { wire, commandMs, onReply } = this.#session;
    for (;;) {
      if (this.#outstanding.length === 0 && !wire.quiet) return this.#interrupted();
      this.#send();
      if (this.#outstanding.length === 0) return this.#isDoubtful ? this.#confirm() : this.#found({ kind: 'finished' });
      const isReset = this.#outstanding[0]?.kind === 'rset' && !this.#phase.fresh;
      const heard = await wire.hear(isReset ? Math.min(RSET_MS, commandMs) : commandMs);
      if (heard.kind !== 'reply') return this.#silent(heard.kind);
      onReply?.(stageOf(this.#outstanding[0]), wire.waitedMs);
      if (this.#asked.unanswered > 0) this.#terms.budget.noteWait(wire.waitedMs);
      // What came with it is taken before more is asked, so that one write follows one read.
      for (let reply: Reply | null = heard.reply; reply !== null;) {
        const sent = this.#outstanding.shift();
        if (sent === undefined) return this.#unasked(reply);
        const ending = this.#handleReply(sent, reply);
        if (ending?.kind === 'tls_demanded') return this.#drain(ending);
        if (ending !== null) return this.#found(ending);
        reply = wire.nextBuffered();
      }
      this.#plan.onReplies?.();
    }
  }

  #send(): void {
    let lines = '';
    if (this.#session.unopened && this.#outstanding.length === 0) {
      lines = helloCommand('EHLO', this.#session.heloName);
      this.#outstanding.push({ kind: 'greeting' }, { kind: 'ehlo' });
    }
    for (let line = this.#next(); line !== null; line = this.#next()) lines += line;
    if (lines !== '') this.#session.wire.send(lines);
  }

  /** The next command's line, which counts as sent; null: none may be sent now. */
  #next(): string | null {
    const command = nextCommand(this.#progress(), this.#limits());
    switch (command) {
      case null:
        return null;
      case 'rset':
      case 'mail':
        this.#phase.opening.shift();
        this.#outstanding.push({ kind: command });
        return command === 'rset' ? RSET : mailCommand(this.#terms.sender, this.#plan.smtpUtf8);
      case 'rcpt': {
        const recipient = this.#plan.queue.next();
        if (recipient === undefined) return null;
        this.#asked.recipients += 1;
        return this.#name(recipient.local, { kind: 'rcpt', recipient });
      }
      case 'made_up':
        this.#asked.madeUp = true;
        this.#madeUpLocal = this.#terms.madeUpLocal();
        return this.#name(this.#madeUpLocal, { kind: 'made_up' });
    }
  }

  #name(local: string, sent: Sent): string {
    this.#session.asked.recipients += 1;
    this.#asked.unanswered += 1;
    this.#plan.allowance.count();
    this.#outstanding.push(sent);
    return rcptCommand(local, this.#terms.domain);
  }

  #progress(): Progress {
    const { opening, mailAccepted, fresh } = this.#phase;
    return {
      opening,
      mailAccepted,
      fresh,
      outstanding: this.#outstanding.length,
      unanswered: this.#asked.unanswered,
      recipients: this.#session.asked.recipients,
      refusals: this.#session.asked.refusals,
      waiting: this.#plan.queue.left,
      madeUp: this.#plan.madeUp,
      madeUpAsked: this.#asked.madeUp,
      accepted: this.#heard.accepted,
      test: this.#test,
    };
  }

  #limits(): Limits {
    const { offers, turn, asked } = this.#session;
    const { budget, clientRefusals } = this.#terms;
    return {
      pipelining: offers.pipelining,
      recipientsMax: this.#isDue ? 0 : budget.recipientsMax,
      refusalsMax: budget.refusalsMax,
      // If others have used up the budget, a refusal would be in doubt: it waits for another session. Not if somebody was accepted
      // just now, after all of them.
      madeUpRoom: turn > 0 && this.#heard.acceptedAfter < asked.refusals ? roomFor(this.#session) : 1,
      window: clientRefusals.window,
      allowance: this.#plan.allowance.left(),
    };
  }

  get #isDue(): boolean {
    const { recipients, madeUp } = this.#asked;
    return (recipients > 0 || madeUp) && this.#plan.isDue();
  }

  #handleReply(sent: Sent, reply: Reply): TransactionEnd | null {
    if (isRepeated(this.#session, sent.kind === 'rcpt' || sent.kind === 'made_up', reply)) {
      this.#session.slipped = true;
      // The replies of one domain would be taken for another's.
      if (this.#session.turn > 0) return this.#void();
    }
    // A server that greets or answers EHLO twice would have all that follows taken for the answer to the command before.
    if (sent.kind !== 'ehlo' && isHelloOf(this.#session, reply)) return this.#void();
    if (sent.kind !== 'greeting' && reply.code === GREETING) return this.#void();
    switch (sent.kind) {
      // What is not as it was offered is no evidence: another session is opened in due order.
      case 'greeting':
        return reply.code === 220 ? null : { kind: 'over' };
      case 'ehlo':
        return readHello(this.#session, reply) ? null : { kind: 'over' };
      case 'rset':
        if (isGood(reply)) return null;
        if (!this.#phase.fresh) return { kind: 'over' };
        this.#heard.madeUp = { ...readReply(this.#session.classify, 'rcpt', reply), masked: null };
        return { kind: 'over' };
      case 'mail':
        return this.#handleMailReply(reply);
      case 'rcpt':
      case 'made_up': {
        this.#asked.unanswered -= 1;
        this.#isDoubtful ||= this.#session.turn > 0 && isBareRepeat(this.#session, reply);
        const answer = this.#readAnswer(sent.kind === 'rcpt' ? sent.recipient : null, reply);
        // What is to be put to the test may be a server's way to say that it does not know a recipient.
        const mayBeUnknown = MEANINGS[answer.said.meaning].isUnknown || answer.masked !== null;
        if (!mayBeUnknown) this.#plan.allowance.uncount();
        this.#session.complaint ??= complaintOf('rcpt', answer);
        if (reply.code >= 400) {
          this.#session.asked.refusals += 1;
          this.#terms.budget.noteRefusal(this.#session.wire.waitedMs, this.#session.asked.refusals);
        }
        return sent.kind === 'rcpt' ? this.#handleRcptReply(sent.recipient, answer) : this.#handleMadeUpReply(answer);
      }
    }
  }

  /** @param recipient null: the made-up mailbox */
  #readAnswer(recipient: RecipientProbe | null, reply: Reply): RcptAnswer {
    const asked = { local: recipient?.local ?? this.#madeUpLocal, domain: this.#terms.domain };
    const answer = readReply(this.#session.classify, 'rcpt', reply, recipient === null ? undefined : asked);
    return { ...answer, masked: this.#plan.test === null ? null : testable(answer, asked) };
  }

  #handleMailReply(reply: Reply): TransactionEnd | null {
    if (isGood(reply)) {
      this.#phase.mailAccepted = true;
      return null;
    }
    const answer = readReply(this.#session.classify, 'mail', reply);
    this.#session.complaint ??= complaintOf('mail', answer);
    if (this.#phase.fresh) {
      this.#heard.madeUp = { ...answer, masked: null };
      return { kind: 'over' };
    }
    return demandsTls(this.#session, answer)
      ? { kind: 'tls_demanded', stage: 'mail', answer }
      : { kind: 'mail_refused', answer };
  }

  /** An end of the session is evidence only for the first recipient of a fresh one; the rest is asked in another. */
  #handleRcptReply(recipient: RecipientProbe, answer: RcptAnswer): TransactionEnd | null {
    if (demandsTls(this.#session, answer)) return { kind: 'tls_demanded', stage: 'rcpt', answer };
    if (answer.said.endsSession) {
      const { turn } = this.#session;
      if (this.#answers.length === 0 && turn === 0) {
        this.#terms.clientRefusals.record(answer);
        this.#answers.push({ ...answer, recipient });
      } else if (turn > 0 && this.#session.complaint !== null) this.#terms.clientRefusals.record(answer);
      else this.#shortenBudget();
      return { kind: 'over' };
    }
    this.#terms.clientRefusals.record(answer);
    this.#answers.push({ ...answer, recipient });
    if (answer.said.meaning === 'accepted') {
      this.#heard.accepted = true;
      this.#heard.acceptedAfter = this.#session.asked.refusals;
      if (this.#session.turn > 0) this.#terms.budget.noteBorne(this.#session.asked.refusals);
    }
    this.#heard.second = this.#secondControl();
    return null;
  }

  #secondControl(): Second<RecipientProbe> | null {
    const { test } = this.#plan;
    return test === null || 'kind' in test ? null : secondControl(this.#answers, this.#heard.madeUp, test.accepted);
  }

  get #test(): TestProgress {
    const { test } = this.#plan;
    if (test !== null && 'kind' in test) return { state: 'under_way', refusals: refusalsIn(test) };
    const { second } = this.#heard;
    if (second !== null) return { state: 'due', refusals: refusalsIn(second) };
    return { state: test?.expected === true ? 'expected' : 'none', refusals: 1 };
  }

  #handleMadeUpReply(answer: RcptAnswer): TransactionEnd | null {
    if (wantsFreshTransaction(answer.reply.code, answer.said) && !this.#phase.fresh && this.#answers.length > 0) {
      this.#phase = { opening: ['rset', 'mail'], mailAccepted: false, fresh: true };
      this.#asked.madeUp = false;
      return null;
    }
    this.#heard.madeUp = answer;
    if (!answer.said.endsSession) return null;
    // Behind others it came too late in the session: the next try gets a place that the server bears.
    const { asked, turn, complaint } = this.#session;
    if (asked.recipients - this.#asked.unanswered > 1 && (turn === 0 || complaint === null)) this.#shortenBudget();
    return { kind: 'over' };
  }

  /** The server ended the session at the command that it answered last. */
  #shortenBudget(): void {
    const { asked } = this.#session;
    this.#terms.budget.shorten(asked.recipients - this.#asked.unanswered - 1, asked.refusals - 1);
  }

  /** If a reply was one too many, that to RSET is the one to the last recipient, or comes behind it. */
  async #confirm(): Promise<TransactionResult> {
    const { wire, commandMs } = this.#session;
    wire.send(RSET);
    const heard = await wire.hear(commandMs);
    this.#session.inTransaction = false;
    this.#isDoubtful = !(heard.kind === 'reply' && isGood(heard.reply) && wire.quiet);
    return this.#found({ kind: this.#isDoubtful ? 'over' : 'finished' });
  }

  /** The replies to what was pipelined behind the refused command are read, and are not evidence of anything. */
  async #drain(ending: TransactionEnd): Promise<TransactionResult> {
    while (this.#outstanding.length > 0) {
      const heard = await this.#session.wire.hear(this.#session.commandMs);
      if (heard.kind !== 'reply') return this.#silent(heard.kind);
      this.#outstanding.shift();
    }
    return this.#found(ending);
  }

  /** Bytes that answer nothing. A part of a reply is waited for no longer: this session has served. */
  #interrupted(): TransactionResult {
    const reply = this.#session.wire.nextBuffered();
    if (reply !== null) return this.#unasked(reply);
    return this.#session.wire.garbled ? this.#silent('garbage') : this.#found({ kind: 'over' });
  }

  /** A 421 says goodbye. Any other reply too many means that no reply can be matched to its command: all are void. */
  #unasked(reply: Reply): TransactionResult {
    if (reply.code === 421) {
      const stage = this.#asked.recipients > 0 || this.#asked.madeUp ? 'rcpt' : 'mail';
      this.#session.complaint ??= complaintOf(stage, readReply(this.#session.classify, stage, reply));
      return this.#found({ kind: 'over' });
    }
    return this.#found(this.#void());
  }

  /** No reply can be matched to its command: nothing that was said counts. */
  #void(): TransactionEnd {
    const named = this.#answers.splice(0).map(({ recipient }) => recipient);
    for (const sent of this.#outstanding) if (sent.kind === 'rcpt') named.push(sent.recipient);
    this.#heard.madeUp = null;
    return { kind: 'silent', silence: 'garbage', stage: 'rcpt', named, madeUpAsked: this.#asked.madeUp };
  }

  #silent(silence: Silence): TransactionResult {
    const named: RecipientProbe[] = [];
    let madeUpAsked = false;
    for (const sent of this.#outstanding) {
      if (sent.kind === 'rcpt') named.push(sent.recipient);
      else if (sent.kind === 'made_up') madeUpAsked = true;
    }
    if (silence === 'timeout' || silence === 'lost') this.#terms.budget.noteSilence(this.#session.asked.refusals);
    const { mailAccepted, fresh } = this.#phase;
    const stage = mailAccepted || fresh ? 'rcpt' : 'mail';
    return this.#found({ kind: 'silent', silence, stage, named, madeUpAsked: madeUpAsked || fresh });
  }

  #found(end: TransactionEnd): TransactionResult {
    const ending = this.#isDoubtful ? this.#void() : end;
    const { madeUp } = this.#heard;
    this.#heard.second = ending.kind === 'finished' ? this.#secondControl() : null;
    const second = isTestAhead(this.#progress(), this.#limits()) ? this.#heard.second : null;
    return { answers: this.#answers, madeUp, ending, second };
  }
}

function demandsTls({ secure }: Session, { said }: ReadReply): boolean {
  return said.demandsTls && !secure;
}

/** How many a test is expected to get. */
function refusalsIn({ kind }: Second<unknown>): TestProgress['refusals'] {
  return kind === 'target' ? 2 : 1;
}

/** What the reply to a command counts as. */
function stageOf(sent: Sent | undefined): Stage {
  if (sent?.kind === 'greeting' || sent?.kind === 'ehlo') return sent.kind;
  return sent?.kind === 'mail' || sent?.kind === 'rset' ? 'mail' : 'rcpt';
}
