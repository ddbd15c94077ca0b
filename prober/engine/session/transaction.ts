import { complaintOf } from '../limits/server/complaint.ts';
import { readReply } from '../meaning/outcome.ts';
import type { RecipientProbe } from '../recipients/recipient-probe.ts';
import { mailCommand, rcptCommand, RSET } from '../wire/command.ts';
import type { Reply } from '../wire/reply.ts';
import type { Silence } from '../wire/wire.ts';
import { isTestAhead, type Limits, nextCommand, type Progress as NextProgress } from './next-command.ts';
import { confirmStep, isAheadOfMail, isBareRepeat, isOutOfStep, namesAnother, wordsOfAnother } from './out-of-step.ts';
import { type Named, RcptRecord } from './rcpt-record.ts';
import { earlyHello, hearEarly } from './pipeconnect.ts';
import { demandsTls, isGood, type Session } from './session.ts';
import type { Terms, TransactionPlan } from './transaction-plan.ts';
import type { TransactionEnd, TransactionResult } from './transaction-result.ts';

/** A command that was sent, until its reply arrives. */
type Sent = Named | { readonly kind: 'rset' | 'mail' | 'nudge' };

/** How far it has come, for `nextCommand`. */
type Progress = NextProgress & { opening: ('rset' | 'mail')[]; mailAccepted: boolean };

/** Whether RSET was sent, and which replies came then while others were due: one that RSET gets, or others. */
type Nudge = 'none' | 'sent' | 'left_out' | 'owed';

/** In a used session, nothing waits longer than this for RSET: another session is quicker. */
const RSET_MS = 10_000;
/** Few servers that have answered what was sent together need so long for the rest of it. */
const OVERDUE_MS = 3_000;

/**
 * Asks one server about recipients of one domain in one mail transaction: sends what `nextCommand` decides, with as
 * many commands per write as allowed, and matches the replies to them. `RcptRecord` keeps what was said about
 * recipients.
 */
export class Transaction {
  readonly #session: Session;
  readonly #terms: Terms;
  readonly #plan: TransactionPlan;
  readonly #rcpts: RcptRecord;
  readonly #outstanding: Sent[] = [];
  readonly #progress: Progress;
  /** No reply proves that it is not the one to the command before. */
  #isDoubtful = false;
  /** A recipient was answered while other replies were due: if one of them never comes, it may be the one that came. */
  #isAmid = false;
  /** RSET was sent after unanswered commands, to see whether the server owes their replies or left one out. */
  #nudge: Nudge = 'none';

  constructor(session: Session, terms: Terms, plan: TransactionPlan) {
    this.#session = session;
    this.#terms = terms;
    this.#plan = plan;
    this.#rcpts = new RcptRecord(session, terms, plan);
    this.#progress = {
      opening: session.inTransaction ? ['rset', 'mail'] : ['mail'],
      mailAccepted: false,
      outstanding: this.#outstanding,
      queue: plan.queue,
      madeUp: plan.madeUp,
      rcpts: this.#rcpts,
    };
    session.inTransaction = true;
  }

  async run(): Promise<TransactionResult> {
    const { wire, commandMs } = this.#session;
    for (;;) {
      if (this.#outstanding.length === 0 && !wire.quiet) return this.#interrupted();
      this.#send();
      if (this.#rcpts.isBegun) this.#plan.onNamed?.();
      const first = this.#outstanding[0];
      if (first === undefined) {
        if (this.#isDoubtful) this.#isDoubtful = !(await confirmStep(this.#session));
        return this.#found({ kind: 'finished' });
      }
      const { early } = this.#session;
      if (early !== null && !(await hearEarly(this.#session, early))) return this.#silent('garbage');
      const isReset = first.kind === 'rset' && !this.#rcpts.isFresh;
      const waitMs = isReset || this.#nudge === 'left_out' ? Math.min(RSET_MS, commandMs) : commandMs;
      const heard = await wire.hear(waitMs, this.#isAmid && this.#nudge === 'none' ? () => this.#sendNudge() : null);
      if (heard.kind !== 'reply') return this.#silent(heard.kind);
      if (this.#rcpts.unanswered > 0) this.#terms.budget.noteWait(wire.waitedMs);
      // Further replies from the same read are taken first, so that one write follows one read.
      for (let reply: Reply | null = heard.reply; reply !== null;) {
        const sent = this.#outstanding.shift();
        if (sent === undefined) return this.#unasked(reply);
        const ending = this.#handleReply(sent, reply);
        if (ending?.kind === 'tls_demanded') return this.#drain(ending);
        if (ending !== null) return this.#found(ending);
        reply = wire.nextBuffered();
      }
    }
  }

  #send(): void {
    if (this.#nudge !== 'none') return;
    if (this.#outstanding.length === 0) this.#isAmid = false;
    const { early } = this.#session;
    let lines = early === null ? '' : earlyHello(this.#session);
    for (let line = this.#next(); line !== null; line = this.#next()) lines += line;
    if (lines !== '') this.#session.wire.send(lines);
  }

  #sendNudge(): void {
    this.#nudge = 'sent';
    this.#outstanding.push({ kind: 'nudge' });
    this.#session.wire.send(RSET);
  }

  /** The next command's line, which counts as sent; null: none may be sent now. */
  #next(): string | null {
    if (this.#isAllAsked) return null;
    const command = nextCommand(this.#progress, this.#limits());
    switch (command) {
      case null:
        return null;
      case 'rset':
      case 'mail':
        this.#progress.opening.shift();
        this.#outstanding.push({ kind: command });
        return command === 'rset' ? RSET : mailCommand(this.#terms.sender, this.#plan.smtpUtf8);
      case 'rcpt': {
        const recipient = this.#plan.queue.next();
        return recipient === undefined ? null : this.#name({ kind: command, recipient }, recipient.local);
      }
      case 'made_up': {
        const local = this.#terms.madeUpLocal();
        return this.#name({ kind: command, local }, local);
      }
    }
  }

  #name(named: Named, local: string): string {
    this.#rcpts.ask(named);
    this.#outstanding.push(named);
    return rcptCommand(local, this.#terms.domain);
  }

  /** Saves most of the calls of `nextCommand`. */
  get #isAllAsked(): boolean {
    const { madeUp, queue } = this.#plan;
    return this.#progress.opening.length === 0 && (madeUp === 'known' || this.#rcpts.madeUpAsked) && queue.left === 0;
  }

  #limits(): Limits {
    const { budget, clientRefusals } = this.#terms;
    const { account, unknown } = this.#plan.permit;
    const isDue = this.#rcpts.isBegun && this.#plan.permit.isDue();
    return {
      pipelining: this.#session.offers.pipelining,
      recipientsMax: isDue ? 0 : budget.recipientsMax,
      refusalsMax: budget.refusalsMax,
      madeUpRoom: this.#rcpts.madeUpRoom,
      window: clientRefusals.window,
      allowance: unknown.left(account),
    };
  }

  #handleReply(sent: Sent, reply: Reply): TransactionEnd | null {
    if (isOutOfStep(this.#session, sent.kind, reply) || this.#namesAnother(sent, reply)) return this.#void();
    const isAmid = this.#outstanding.length > 0;
    if (isAmid && this.#nudge !== 'none') this.#nudge = this.#nudge === 'sent' && isGood(reply) ? 'left_out' : 'owed';
    switch (sent.kind) {
      case 'nudge':
        return { kind: 'over' };
      case 'rset':
        if (isGood(reply)) return null;
        if (this.#rcpts.isFresh)
          this.#rcpts.madeUp = { ...readReply(this.#session.classify, 'rcpt', reply), masked: null };
        return { kind: 'over' };
      case 'mail':
        return this.#handleMailReply(reply);
      case 'rcpt':
      case 'made_up': {
        this.#isAmid ||= isAmid;
        this.#isDoubtful ||= this.#session.slipped || (this.#session.turn > 0 && isBareRepeat(this.#session, reply));
        const ending = this.#rcpts.hear(sent, reply);
        if (ending !== 'fresh') return ending;
        this.#progress.opening = ['rset', 'mail'];
        this.#progress.mailAccepted = false;
        return null;
      }
    }
  }

  #namesAnother(sent: Sent, reply: Reply): boolean {
    const { answered } = this.#session;
    const due = this.#addressIn(sent);
    const words = wordsOfAnother(reply, due);
    if (
      words !== null &&
      namesAnother(
        words,
        this.#outstanding.flatMap((one) => this.#addressIn(one) ?? []),
        answered,
      )
    )
      return true;
    if (due !== null) answered.push(due);
    return false;
  }

  /** The address that a command names; null: none. */
  #addressIn(sent: Sent): string | null {
    if (sent.kind !== 'rcpt' && sent.kind !== 'made_up') return null;
    const local = sent.kind === 'rcpt' ? sent.recipient.local : sent.local;
    return `${local}@${this.#terms.domain}`;
  }

  #handleMailReply(reply: Reply): TransactionEnd | null {
    if (isGood(reply)) {
      this.#progress.mailAccepted = true;
      this.#isDoubtful ||= this.#rcpts.unanswered > 0 && isAheadOfMail(reply);
      return null;
    }
    const answer = readReply(this.#session.classify, 'mail', reply);
    this.#session.complaint ??= complaintOf('mail', answer);
    if (this.#rcpts.isFresh) {
      this.#rcpts.madeUp = { ...answer, masked: null };
      return { kind: 'over' };
    }
    return demandsTls(this.#session, answer)
      ? { kind: 'tls_demanded', stage: 'mail', answer }
      : { kind: 'mail_refused', answer };
  }

  /** The replies to what was pipelined after the refused command are read, and are no evidence. */
  async #drain(ending: TransactionEnd): Promise<TransactionResult> {
    while (this.#outstanding.length > 0) {
      const heard = await this.#session.wire.hear(this.#session.commandMs);
      if (heard.kind !== 'reply') return this.#silent(heard.kind);
      this.#outstanding.shift();
    }
    return this.#found(ending);
  }

  /** Bytes that answer nothing. The rest of a partial reply is not waited for: this session is done. */
  #interrupted(): TransactionResult {
    const { wire } = this.#session;
    const reply = wire.nextBuffered();
    if (reply !== null) return this.#unasked(reply);
    return wire.garbled ? this.#silent('garbage') : this.#found({ kind: 'over' });
  }

  /** A 421 is a goodbye. After any other surplus reply no reply can be matched to its command: all are void. */
  #unasked(reply: Reply): TransactionResult {
    if (reply.code !== 421) return this.#found(this.#void());
    const stage = this.#rcpts.isBegun ? 'rcpt' : 'mail';
    this.#session.complaint ??= complaintOf(stage, readReply(this.#session.classify, stage, reply));
    return this.#found({ kind: 'over' });
  }

  /** No reply can be matched to its command: nothing that was said counts. */
  #void(silence: Silence = 'garbage'): TransactionEnd {
    const named = [...this.#rcpts.void(), ...recipientsOf(this.#outstanding)];
    return { kind: 'silent', silence, stage: 'rcpt', named, madeUpAsked: this.#rcpts.madeUpAsked };
  }

  #silent(silence: Silence): TransactionResult {
    if (this.#nudge === 'left_out') return this.#found(this.#void());
    // There is no time left to see whether the reply that is due was left out.
    const isOverdue = this.#isAmid && this.#session.wire.waitedMs >= OVERDUE_MS;
    if (silence === 'ended' && isOverdue) return this.#found(this.#void(silence));
    const { isFresh } = this.#rcpts;
    if (silence === 'timeout' || silence === 'lost') this.#terms.budget.noteSilence(this.#session.asked.refusals);
    const stage = this.#progress.mailAccepted || isFresh ? 'rcpt' : 'mail';
    const named = recipientsOf(this.#outstanding);
    const madeUpAsked = isFresh || this.#outstanding.some(({ kind }) => kind === 'made_up');
    return this.#found({ kind: 'silent', silence, stage, named, madeUpAsked });
  }

  #found(end: TransactionEnd): TransactionResult {
    const ending = this.#isDoubtful ? this.#void() : end;
    const { answers, madeUp, second } = this.#rcpts;
    const isAhead =
      second !== null && ending.kind === 'finished' && isTestAhead(this.#rcpts, this.#limits(), this.#rcpts.test);
    return { answers, madeUp, ending, second: isAhead ? second : null };
  }
}

function recipientsOf(commands: readonly Sent[]): RecipientProbe[] {
  return commands.flatMap((sent) => (sent.kind === 'rcpt' ? [sent.recipient] : []));
}
