import { complaintOf } from '../limits/complaint.ts';
import { readReply } from '../meaning/outcome.ts';
import type { RecipientProbe } from '../recipients/recipient.ts';
import { mailCommand, rcptCommand, RSET } from './wire/command.ts';
import type { Reply } from './wire/reply.ts';
import type { Silence } from './wire/connection.ts';
import { namesAnother, withoutHandedOn } from './desync.ts';
import { type Command, nextCommands } from './next-command.ts';
import { type Rcpt, RcptRecord } from './rcpt-record.ts';
import { demandsTls, isGood, type Session } from './session.ts';
import type { Asking, Terms, TransactionEnd, TransactionPlan, TransactionResult } from './transaction-plan.ts';

/** A command that was sent, until its reply arrives. */
type Sent = Rcpt | { readonly kind: 'rset' | 'mail' };

/** In a used session, nothing waits longer than this for RSET: another session is quicker. */
const RSET_MS = 10_000;

/**
 * Asks one server about recipients of one domain in one mail transaction: sends what `nextCommands` decides, as many
 * commands per write as allowed, and matches the replies to them.
 */
export class Transaction {
  readonly #of: Asking;
  readonly #rcpts: RcptRecord;
  /** To be sent before the first RCPT. */
  readonly #opening: Command[];
  readonly #outstanding: Sent[] = [];
  #mailAccepted = false;
  /** The second control of a test that is due. */
  #second: TransactionResult['second'] = null;
  /** The last commands sent together, how long they have waited, and how many recipients had been answered before. */
  #group: { readonly sent: readonly Sent[]; waitedMs: number; readonly answeredBefore: number };

  constructor(session: Session, terms: Terms, plan: TransactionPlan) {
    this.#of = { session, terms, plan };
    this.#rcpts = new RcptRecord(this.#of);
    this.#opening = session.inTransaction ? ['rset', 'mail'] : ['mail'];
    this.#group = { sent: [], waitedMs: 0, answeredBefore: 0 };
    session.inTransaction = true;
  }

  async run(): Promise<TransactionResult> {
    const end = await this.#converse();
    const { session, terms } = this.#of;
    const isConfirmed = end.kind === 'finished' || end.kind === 'limit' || end.kind === 'void';
    const ending = isConfirmed || !session.replies.isDoubtful || session.turn === 0 ? end : this.#mixedUp();
    const { madeUp } = this.#rcpts;
    const answers = withoutHandedOn(this.#rcpts.answers, terms.domain);
    return { answers, madeUp, ending, second: ending.kind === 'finished' ? this.#second : null };
  }

  async #converse(): Promise<TransactionEnd> {
    const { connection } = this.#of.session;
    for (;;) {
      if (this.#outstanding.length === 0) {
        if (!connection.quiet) return this.#unasked(connection.nextBuffered());
        this.#send();
      }
      if (this.#rcpts.named > 0) this.#of.plan.onNamed?.();
      if (this.#outstanding.length === 0) return this.#finish();
      const heard = await connection.hear(this.#waitMs);
      if (heard.kind !== 'reply') return this.#silent(heard.kind);
      const { waitedMs } = connection;
      this.#group.waitedMs += waitedMs;
      this.#of.session.replies.noteDelay(this.#group.waitedMs);
      // Further replies from the same read are taken first, so that one write follows one read.
      for (let reply: Reply | null = heard.reply; reply !== null; reply = connection.nextBuffered()) {
        const sent = this.#outstanding.shift();
        if (sent === undefined) return this.#unasked(reply);
        const ending = this.#handleReply(sent, reply, waitedMs);
        if (ending?.kind === 'tls_demanded' || ending?.kind === 'limit') return this.#drain(ending);
        if (ending !== null) return ending;
      }
    }
  }

  /** Sends the next group of commands. */
  #send(): void {
    const { commands, second } = nextCommands(this.#opening, this.#rcpts, this.#of);
    this.#second = second;
    let lines = '';
    for (const command of commands) lines += this.#take(command);
    this.#group = { sent: [...this.#outstanding], waitedMs: 0, answeredBefore: this.#rcpts.answers.length };
    if (lines !== '') this.#of.session.connection.send(lines);
  }

  /** A command's line, which counts as sent. */
  #take(command: Command): string {
    const { terms, plan } = this.#of;
    if (command === 'rset' || command === 'mail') {
      this.#opening.shift();
      this.#outstanding.push({ kind: command });
      return command === 'rset' ? RSET : mailCommand(terms.sender, plan.smtpUtf8);
    }
    const recipient = command === 'rcpt' ? plan.queue.next() : null;
    if (recipient === undefined) return '';
    const rcpt: Rcpt = { kind: 'rcpt', recipient, local: recipient?.local ?? terms.madeUpLocal() };
    this.#rcpts.ask(rcpt);
    this.#outstanding.push(rcpt);
    return rcptCommand(rcpt.local, terms.domain);
  }

  /** How long a group is waited for: half of what is left is for asking one by one, unless the server is slow. */
  get #waitMs(): number {
    const { connection, opening, replies } = this.#of.session;
    const { commandMs } = opening;
    if (this.#outstanding[0]?.kind === 'rset') return Math.min(RSET_MS, commandMs);
    if (!this.#isGroup) return commandMs;
    const leftMs = this.#of.terms.deadlineMs - connection.now;
    return Math.min(commandMs, Math.max(commandMs / 2, leftMs / 2, 2 * replies.longestMs));
  }

  get #isGroup(): boolean {
    return this.#group.sent.length > 1;
  }

  #handleReply(sent: Sent, reply: Reply, waitedMs: number): TransactionEnd | null {
    const { replies, turn } = this.#of.session;
    if (replies.isHello(reply)) return this.#void();
    // One domain's replies would be taken for another's.
    if (replies.repeatsToNobody(sent.kind === 'rcpt', reply) && turn > 0 && reply.enhanced !== null)
      return this.#mixedUp();
    if (this.#isGroup && this.#namesAnother(sent, reply)) return this.#void(this.#group.answeredBefore);
    switch (sent.kind) {
      case 'rset':
        return isGood(reply) ? null : { kind: 'over' };
      case 'mail':
        return this.#handleMailReply(reply);
      case 'rcpt':
        return this.#rcpts.hear(sent, reply, waitedMs);
    }
  }

  /** Whether a reply is for another recipient of its group. */
  #namesAnother(sent: Sent, reply: Reply): boolean {
    const addressIn = (one: Sent): string[] => (one.kind === 'rcpt' ? [`${one.local}@${this.#of.terms.domain}`] : []);
    return namesAnother(reply, addressIn(sent)[0] ?? null, () => this.#group.sent.flatMap(addressIn));
  }

  #handleMailReply(reply: Reply): TransactionEnd | null {
    this.#mailAccepted = isGood(reply);
    if (this.#mailAccepted) return null;
    this.#of.session.inTransaction = false;
    const answer = readReply(this.#of.session.opening.classify, 'mail', reply);
    this.#of.session.asked.refusals += 1;
    const complaint = complaintOf('mail', answer);
    // After one that served us it may be one message a session: another session tells, unless the words are of a rate.
    if (!this.#of.plan.continues || complaint?.saysTooMuch === true) this.#of.session.complaint ??= complaint;
    if (this.#of.plan.continues) return { kind: 'over' };
    return demandsTls(this.#of.session, answer)
      ? { kind: 'tls_demanded', stage: 'mail', answer }
      : { kind: 'mail_refused', answer };
  }

  /** The replies to what was pipelined after the refused command are read, and are no evidence. */
  async #drain(ending: TransactionEnd): Promise<TransactionEnd> {
    for (let sent = this.#outstanding[0]; sent !== undefined; sent = this.#outstanding[0]) {
      const heard = await this.#of.session.connection.hear(this.#of.session.opening.commandMs);
      if (heard.kind !== 'reply') return this.#silent(heard.kind);
      this.#outstanding.shift();
      if (heard.reply.code >= 400) this.#of.session.asked.refusals += 1;
      if (sent.kind === 'rcpt') this.#rcpts.forget();
    }
    return ending;
  }

  /** Nothing more is to be asked. */
  async #finish(): Promise<TransactionEnd> {
    const { connection, replies } = this.#of.session;
    if (replies.isDoubtful && this.#second === null && !this.#rcpts.allAccepted) {
      await connection.settle(replies.leftOverMs);
      if (!connection.quiet) return this.#unasked(connection.nextBuffered());
      replies.isDoubtful = false;
    }
    const isFull = this.#rcpts.named >= this.#of.terms.budget.transactionMax;
    return { kind: isFull && this.#second === null ? 'limit' : 'finished' };
  }

  /**
   * Bytes that answer nothing. A 421 is a goodbye. After any other surplus reply no reply can be matched to its command:
   * all are void. The rest of a partial reply is not waited for: this session is done.
   */
  #unasked(reply: Reply | null): TransactionEnd {
    const { connection, opening } = this.#of.session;
    if (reply === null) return connection.garbled ? this.#silent('garbage') : { kind: 'over' };
    if (reply.code !== 421) return this.#void();
    const stage = this.#rcpts.named > 0 ? 'rcpt' : 'mail';
    this.#of.session.complaint ??= complaintOf(stage, readReply(opening.classify, stage, reply));
    return { kind: 'over' };
  }

  /**
   * Replies cannot be matched to their commands: none from the nth on counts. What was asked in groups is asked again,
   * one command at a time; where that was done, it is a protocol error.
   */
  #void(from = 0, silence = false): TransactionEnd {
    const named = [...this.#rcpts.void(from), ...recipientsOf(this.#outstanding)];
    const { server } = this.#of.terms;
    const tookGroups = this.#of.session.offers.pipelining && server.takesGroups;
    server.takesGroups = false;
    if (tookGroups) return { kind: 'void', silence };
    return { kind: 'silent', silence: 'garbage', stage: 'rcpt', named, madeUpAsked: this.#rcpts.madeUpAsked };
  }

  /** In a session that served others, some reply may have been theirs: that says nothing about groups. */
  #mixedUp(): TransactionEnd {
    this.#rcpts.void(0);
    return { kind: 'void', silence: false };
  }

  #silent(silence: Silence): TransactionEnd {
    if (silence === 'timeout' || silence === 'lost') this.#of.terms.budget.noteSilence(this.#of.session.asked.refusals);
    const { answeredBefore } = this.#group;
    if (silence === 'timeout' && this.#isGroup) return this.#void(answeredBefore, true);
    // Some reply may have been left out: a refusal may be another recipient's.
    const lost = silence === 'ended' && this.#isGroup ? this.#rcpts.void(answeredBefore, 'acceptances') : [];
    const stage = this.#mailAccepted ? 'rcpt' : 'mail';
    const named = [...lost, ...recipientsOf(this.#outstanding)];
    const madeUpAsked = this.#outstanding.some((sent) => sent.kind === 'rcpt' && sent.recipient === null);
    return { kind: 'silent', silence, stage, named, madeUpAsked };
  }
}

function recipientsOf(commands: readonly Sent[]): RecipientProbe[] {
  return commands.flatMap((sent) => (sent.kind === 'rcpt' && sent.recipient !== null ? [sent.recipient] : []));
}
