import { complaintOf } from '../limits/complaint.ts';
import { readReply } from '../meaning/outcome.ts';
import type { RecipientProbe } from '../recipients/recipient.ts';
import { mailCommand, rcptCommand, RSET } from './wire/command.ts';
import type { Reply } from './wire/reply.ts';
import type { Silence } from './wire/connection.ts';
import { withoutHandedOn } from './desync.ts';
import { isFull, isTestAhead, type Limits, nextCommand, type Progress as NextProgress } from './next-command.ts';
import { isHello, namesAnother, repeats } from './desync.ts';
import { type Named, RcptRecord } from './rcpt-record.ts';
import { demandsTls, isGood, type Session } from './session.ts';
import type { Terms, TransactionPlan } from './transaction-plan.ts';
import type { TransactionEnd, TransactionResult } from './transaction-plan.ts';

/** A command that was sent, until its reply arrives. */
type Sent = (Named | { readonly kind: 'rset' | 'mail' }) & { readonly sentAt: number };

/** How far it has come, for `nextCommand`. */
type Progress = NextProgress & { opening: ('rset' | 'mail')[]; mailAccepted: boolean };

/** In a used session, nothing waits longer than this for RSET: another session is quicker. */
const RSET_MS = 10_000;
/** Replies that may be left over are waited for so long, at most, or twice as long as the delays of others differed. */
const LEFT_OVER_MS = 300;
const MARGIN = 2;

/**
 * Asks one server about recipients of one domain in one mail transaction: sends what `nextCommand` decides, as many
 * commands per write as allowed, and matches the replies to them.
 */
export class Transaction {
  readonly #session: Session;
  readonly #terms: Terms;
  readonly #plan: TransactionPlan;
  readonly #rcpts: RcptRecord;
  readonly #outstanding: Sent[] = [];
  readonly #progress: Progress;
  /** The last commands sent together, and how many recipients had been answered before. */
  #group: Sent[] = [];
  #answeredBefore = 0;

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
    const { connection, commandMs } = this.#session;
    for (;;) {
      if (this.#outstanding.length === 0 && !connection.quiet) return this.#interrupted();
      this.#send();
      if (this.#rcpts.isBegun) this.#plan.onNamed?.();
      const first = this.#outstanding[0];
      if (first === undefined) return this.#finish();
      const isReset = first.kind === 'rset';
      const heard = await connection.hear(Math.min(isReset ? RSET_MS : this.#groupMs, commandMs));
      if (heard.kind !== 'reply') return this.#silent(heard.kind);
      if (this.#rcpts.unanswered > 0) this.#terms.budget.noteWait(connection.waitedMs);
      // Further replies from the same read are taken first, so that one write follows one read.
      for (let reply: Reply | null = heard.reply; reply !== null;) {
        const sent = this.#outstanding.shift();
        if (sent === undefined) return this.#unasked(reply);
        this.#noteDelay(sent.sentAt);
        const ending = this.#handleReply(sent, reply);
        if (ending?.kind === 'tls_demanded' || ending?.kind === 'limit') return this.#drain(ending);
        if (ending !== null) return this.#found(ending);
        reply = connection.nextBuffered();
      }
    }
  }

  /** Sends the next group of commands, once the one before is answered. */
  #send(): void {
    if (this.#outstanding.length > 0) return;
    this.#group = [];
    this.#answeredBefore = this.#rcpts.answers.length;
    let lines = '';
    for (let line = this.#next(); line !== null; line = this.#next()) lines += line;
    if (lines !== '') this.#session.connection.send(lines);
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
        this.#push({ kind: command });
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
    this.#push(named);
    return rcptCommand(local, this.#terms.domain);
  }

  #push(command: Named | { readonly kind: 'rset' | 'mail' }): void {
    const sent = { ...command, sentAt: this.#session.connection.now };
    this.#outstanding.push(sent);
    this.#group.push(sent);
  }

  /** Saves most of the calls of `nextCommand`. */
  get #isAllAsked(): boolean {
    const { madeUp, queue } = this.#plan;
    return this.#progress.opening.length === 0 && (madeUp === 'known' || this.#rcpts.madeUpAsked) && queue.left === 0;
  }

  #limits(): Limits {
    const { budget, clientRefusals, server } = this.#terms;
    const { account, unknown } = this.#plan.permit;
    const isDue = this.#rcpts.isBegun && this.#plan.permit.isDue();
    return {
      pipelining: this.#session.offers.pipelining && server.takesGroups,
      recipientsMax: isDue ? 0 : budget.recipientsMax,
      transactionMax: budget.transactionMax,
      refusalsMax: budget.refusalsMax,
      madeUpRoom: this.#rcpts.madeUpRoom,
      window: clientRefusals.window,
      allowance: unknown.left(account),
    };
  }

  #handleReply(sent: Sent, reply: Reply): TransactionEnd | null {
    const session = this.#session;
    if (isHello(session, reply)) return this.#void();
    const repeated = repeats(session, sent.kind === 'rcpt' || sent.kind === 'made_up', reply);
    session.isDoubtful ||= repeated !== null;
    // One domain's replies would be taken for another's.
    if (repeated === 'nobody' && session.turn > 0 && reply.enhanced !== null) return this.#mixedUp();
    if (
      this.#isGroup &&
      namesAnother(
        reply,
        this.#addressIn(sent),
        this.#group.flatMap((one) => this.#addressIn(one) ?? []),
      )
    )
      return this.#void(this.#answeredBefore);
    switch (sent.kind) {
      case 'rset':
        return isGood(reply) ? null : { kind: 'over' };
      case 'mail':
        return this.#handleMailReply(reply);
      case 'rcpt':
      case 'made_up':
        return this.#rcpts.hear(sent, reply);
    }
  }

  /** How long a group is waited for: half of what is left is for asking one by one, unless the server is slow. */
  get #groupMs(): number {
    const { connection, commandMs, delays } = this.#session;
    if (!this.#isGroup) return commandMs;
    return Math.max(commandMs / 2, (this.#terms.deadlineMs - connection.now) / 2, 2 * delays.longestMs);
  }

  get #isGroup(): boolean {
    return this.#group.length > 1;
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
      return null;
    }
    const answer = readReply(this.#session.classify, 'mail', reply);
    this.#session.asked.refusals += 1;
    const complaint = complaintOf('mail', answer);
    // One message a session is no complaint about us.
    if (!this.#plan.continues || complaint?.isAboutRate === true) this.#session.complaint ??= complaint;
    if (this.#plan.continues) return { kind: 'over' };
    return demandsTls(this.#session, answer)
      ? { kind: 'tls_demanded', stage: 'mail', answer }
      : { kind: 'mail_refused', answer };
  }

  /** The replies to what was pipelined after the refused command are read, and are no evidence. */
  async #drain(ending: TransactionEnd): Promise<TransactionResult> {
    while (this.#outstanding.length > 0) {
      const heard = await this.#session.connection.hear(this.#session.commandMs);
      if (heard.kind !== 'reply') return this.#silent(heard.kind);
      const sent = this.#outstanding.shift();
      if (heard.reply.code >= 400) this.#session.asked.refusals += 1;
      if (sent?.kind === 'rcpt' || sent?.kind === 'made_up') this.#rcpts.forget();
    }
    return this.#found(ending);
  }

  #noteDelay(sentAt: number): void {
    const { delays, connection } = this.#session;
    delays.shortestMs = Math.min(delays.shortestMs, connection.now - sentAt);
    delays.longestMs = Math.max(delays.longestMs, connection.now - sentAt);
  }

  /** Nothing more is to be asked. A reply that is left over comes as late as others did. */
  async #finish(): Promise<TransactionResult> {
    const { connection, isDoubtful, delays } = this.#session;
    if (isDoubtful && !this.#isTestAhead && !this.#rcpts.allAccepted) {
      await connection.settle(Math.min(LEFT_OVER_MS, MARGIN * (delays.longestMs - delays.shortestMs)));
      if (!connection.quiet) return this.#interrupted();
      this.#session.isDoubtful = false;
    }
    const isLimit = isFull(this.#rcpts, this.#limits()) && !this.#isTestAhead;
    return this.#found({ kind: isLimit ? 'limit' : 'finished' });
  }

  /** Bytes that answer nothing. The rest of a partial reply is not waited for: this session is done. */
  #interrupted(): TransactionResult {
    const { connection } = this.#session;
    const reply = connection.nextBuffered();
    if (reply !== null) return this.#unasked(reply);
    return connection.garbled ? this.#silent('garbage') : this.#found({ kind: 'over' });
  }

  /** A 421 is a goodbye. After any other surplus reply no reply can be matched to its command: all are void. */
  #unasked(reply: Reply): TransactionResult {
    if (reply.code !== 421) return this.#found(this.#void());
    const stage = this.#rcpts.isBegun ? 'rcpt' : 'mail';
    this.#session.complaint ??= complaintOf(stage, readReply(this.#session.classify, stage, reply));
    return this.#found({ kind: 'over' });
  }

  /**
   * Replies cannot be matched to their commands: none from the nth on counts. What was asked in groups is asked again,
   * one command at a time; where that was done, it is a protocol error.
   */
  #void(from = 0, silence = false): TransactionEnd {
    const named = [...this.#rcpts.void(from), ...recipientsOf(this.#outstanding)];
    const { server } = this.#terms;
    const tookGroups = this.#limits().pipelining;
    server.takesGroups = false;
    if (tookGroups) return { kind: 'void', silence };
    return { kind: 'silent', silence: 'garbage', stage: 'rcpt', named, madeUpAsked: this.#rcpts.madeUpAsked };
  }

  /** In a session that served others, some reply may have been theirs: that says nothing about groups. */
  #mixedUp(): TransactionEnd {
    this.#rcpts.void(0);
    return { kind: 'void', silence: false };
  }

  #silent(silence: Silence): TransactionResult {
    if (silence === 'timeout' || silence === 'lost') this.#terms.budget.noteSilence(this.#session.asked.refusals);
    if (silence === 'timeout' && this.#isGroup) return this.#found(this.#void(this.#answeredBefore, true));
    // Some reply may have been left out: a refusal may be another recipient's.
    const lost = silence === 'ended' && this.#isGroup ? this.#rcpts.void(this.#answeredBefore, 'acceptances') : [];
    const stage = this.#progress.mailAccepted ? 'rcpt' : 'mail';
    const named = [...lost, ...recipientsOf(this.#outstanding)];
    const madeUpAsked = this.#outstanding.some(({ kind }) => kind === 'made_up');
    return this.#found({ kind: 'silent', silence, stage, named, madeUpAsked });
  }

  #found(end: TransactionEnd): TransactionResult {
    const { isDoubtful, turn } = this.#session;
    const isConfirmed =
      end.kind === 'finished' || end.kind === 'limit' || end.kind === 'void' || !isDoubtful || turn === 0;
    const ending = isConfirmed ? end : this.#mixedUp();
    const { madeUp, second } = this.#rcpts;
    const answers = withoutHandedOn(this.#rcpts.answers, this.#terms.domain);
    return { answers, madeUp, ending, second: ending.kind === 'finished' && this.#isTestAhead ? second : null };
  }

  get #isTestAhead(): boolean {
    return this.#rcpts.second !== null && isTestAhead(this.#rcpts, this.#limits(), this.#rcpts.test);
  }
}

function recipientsOf(commands: readonly Sent[]): RecipientProbe[] {
  return commands.flatMap((sent) => (sent.kind === 'rcpt' ? [sent.recipient] : []));
}
