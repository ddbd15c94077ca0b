import { complaintOf } from '../meaning/complaint.ts';
import { type Second, secondControl } from '../meaning/controls.ts';
import { readReply } from '../meaning/outcome.ts';
import type { RecipientProbe } from '../recipients/recipient.ts';
import { mailCommand, rcptCommand, RSET } from './wire/command.ts';
import type { Reply } from './wire/reply.ts';
import type { Silence } from './wire/connection.ts';
import { namesAnother, withoutHandedOn } from './desync.ts';
import { type Rcpt, RcptRecord } from './rcpt-record.ts';
import { demandsTls, isGood } from './session.ts';
import type { TransactionEnd, TransactionPlan, TransactionResult } from './transaction-plan.ts';

// One mail transaction (RFC 5321 §3.3): which commands come next, and which reply answers which.
//
//     [RSET] ─► MAIL ─► RCPT … RCPT ─► RCPT of the made-up mailbox
//
// The transaction of a test (`meaning/controls.ts`) starts with it:
//
//     RSET ─► MAIL ─► RCPT of the made-up mailbox ─► RCPT
//
// With PIPELINING (RFC 2920) commands are sent together, without it each waits for the reply to the one before. A group
// never has more RCPTs than refusals are left in the session budget, nor than the server takes in a transaction.

type Command = 'rset' | 'mail' | 'rcpt' | 'made_up';

/** What a test (`meaning/controls.ts`) takes of a session: two RCPTs. */
const CONTROLS = 2;

type Next = {
  /** In one write; none: nothing is left to ask. */
  readonly commands: readonly Command[];
  /** The second control of a test that is due, if there is room for both of its RCPTs. */
  readonly second: Second<RecipientProbe> | null;
};

/** A command that was sent. */
type Sent = Rcpt | { readonly kind: 'rset' | 'mail' };

/**
 * Asks one server about recipients of one domain in one mail transaction: sends what `nextCommands` decides, as many
 * commands per write as allowed, and matches the replies to them.
 */
export class Transaction {
  readonly #plan: TransactionPlan;
  readonly #rcpts: RcptRecord;
  /** To be sent before the first RCPT. */
  readonly #opening: Command[];
  /** The last commands sent together, how many of them were answered, and how long that took. */
  #group: Sent[] = [];
  #answered = 0;
  #waitedMs = 0;
  /** The recipients that had been answered before them. */
  #answersBefore = 0;
  /** The second control of a test that is due. */
  #second: Next['second'] = null;

  constructor(plan: TransactionPlan) {
    const { session } = plan;
    this.#plan = plan;
    this.#rcpts = new RcptRecord(plan);
    this.#opening = session.inTransaction ? ['rset', 'mail'] : ['mail'];
    session.inTransaction = true;
  }

  async run(): Promise<TransactionResult> {
    const end = await this.#converse();
    this.#plan.queue.giveBack();
    const { replies, turn } = this.#plan.session;
    const isConfirmed = end.kind === 'finished' || end.kind === 'limit' || end.kind === 'void';
    const ending = isConfirmed || !replies.isDoubtful || turn === 0 ? end : this.#mixedUp();
    const { madeUp } = this.#rcpts;
    const answers = withoutHandedOn(this.#rcpts.answers, this.#plan.domain);
    return { answers, madeUp, ending, second: ending.kind === 'finished' ? this.#second : null };
  }

  async #converse(): Promise<TransactionEnd> {
    const { connection, replies } = this.#plan.session;
    for (;;) {
      if (this.#due === undefined) {
        if (connection.unread !== 'nothing') return this.#unasked(connection.nextBuffered());
        this.#send();
      }
      if (this.#rcpts.named > 0) this.#plan.onNamed();
      if (this.#due === undefined) return this.#finish();
      const heard = await connection.hear(this.#waitMs);
      if (heard.kind !== 'reply') return this.#silent(heard.kind);
      const { waitedMs } = connection.limit;
      this.#waitedMs += waitedMs;
      replies.noteDelay(this.#waitedMs);
      // Further replies from the same read are taken first, so that one write follows one read.
      for (let reply: Reply | null = heard.reply; reply !== null; reply = connection.nextBuffered()) {
        const sent = this.#due;
        if (sent === undefined) return this.#unasked(reply);
        this.#answered += 1;
        const ending = this.#handleReply(sent, reply, waitedMs);
        if (ending?.kind === 'tls_demanded' || ending?.kind === 'limit') return this.#drain(ending);
        if (ending !== null) return ending;
      }
    }
  }

  /** The command that the next reply answers. */
  get #due(): Sent | undefined {
    return this.#group[this.#answered];
  }

  /** Sends the next group of commands. */
  #send(): void {
    const { commands, second } = nextCommands(this.#opening, this.#rcpts, this.#plan);
    this.#second = second;
    this.#group = [];
    this.#answered = 0;
    this.#waitedMs = 0;
    this.#answersBefore = this.#rcpts.answers.length;
    let lines = '';
    for (const command of commands) lines += this.#take(command);
    if (lines !== '') this.#plan.session.connection.send(lines);
  }

  /** A command's line, which counts as sent. */
  #take(command: Command): string {
    const { domain, queue, permit } = this.#plan;
    if (command === 'rset' || command === 'mail') {
      this.#opening.shift();
      this.#group.push({ kind: command });
      return command === 'rset' ? RSET : mailCommand(this.#plan.sender, this.#plan.smtpUtf8);
    }
    const recipient = command === 'rcpt' ? queue.next() : null;
    if (recipient === undefined) return '';
    const local = recipient?.local ?? this.#plan.madeUpLocal();
    permit.unknown.count(permit.account);
    this.#rcpts.named += 1;
    this.#rcpts.madeUpAsked ||= recipient === null;
    this.#group.push({ kind: 'rcpt', recipient, local, domain });
    return rcptCommand(local, domain);
  }

  /** How long a group is waited for: half of what is left is for asking one by one, unless the server is slow. */
  get #waitMs(): number {
    const { connection, opening, replies } = this.#plan.session;
    const { commandMs } = opening;
    if (this.#group.length === 1) return commandMs;
    const leftMs = this.#plan.deadlineMs - connection.limit.now;
    return Math.min(commandMs, Math.max(commandMs / 2, leftMs / 2, 2 * replies.longestMs));
  }

  #handleReply(sent: Sent, reply: Reply, waitedMs: number): TransactionEnd | null {
    const { replies, turn } = this.#plan.session;
    const repeated = replies.repeated(sent.kind === 'rcpt', reply);
    // Each reply would be taken for that to the command before, and one domain's for another's.
    if (repeated === 'hello') return this.#void();
    if (repeated === 'to_nobody' && turn > 0 && reply.enhanced !== null) return this.#mixedUp();
    if (this.#group.length > 1 && namesAnother(reply, () => [sent, ...this.#group].map(addressIn)))
      return this.#void(this.#answersBefore);
    switch (sent.kind) {
      case 'rset':
        return isGood(reply) ? null : { kind: 'over' };
      case 'mail':
        return isGood(reply) ? null : refusedMail(this.#plan, reply);
      case 'rcpt':
        return this.#rcpts.hear(sent, reply, waitedMs);
    }
  }

  /** The replies to what was pipelined after the refused command are read, and are no evidence. */
  async #drain(ending: TransactionEnd): Promise<TransactionEnd> {
    const { session, permit } = this.#plan;
    const { connection, opening, asked } = session;
    for (let sent = this.#due; sent !== undefined; sent = this.#due) {
      const heard = await connection.hear(opening.commandMs);
      if (heard.kind !== 'reply') return this.#silent(heard.kind);
      this.#answered += 1;
      if (heard.reply.code >= 400) asked.refusals += 1;
      if (sent.kind !== 'rcpt') continue;
      asked.recipients += 1;
      permit.unknown.count(permit.account, -1);
    }
    return ending;
  }

  /** Nothing more is to be asked. */
  async #finish(): Promise<TransactionEnd> {
    const { connection, replies } = this.#plan.session;
    if (replies.isDoubtful && this.#second === null && !this.#rcpts.allAccepted) {
      await connection.settle(replies.leftOverMs);
      if (connection.unread !== 'nothing') return this.#unasked(connection.nextBuffered());
      replies.isDoubtful = false;
    }
    const isFull = this.#rcpts.named >= this.#plan.site.budget.transactionMax;
    return { kind: isFull && this.#second === null ? 'limit' : 'finished' };
  }

  /**
   * Bytes that answer nothing. A 421 is a goodbye. After any other surplus reply no reply can be matched to its command:
   * all are void. The rest of a partial reply is not waited for: this session is done.
   */
  #unasked(reply: Reply | null): TransactionEnd {
    const { session } = this.#plan;
    if (reply === null)
      return session.connection.unread === 'garbage' ? this.#unanswered('garbage', []) : { kind: 'over' };
    if (reply.code !== 421) return this.#void();
    const stage = this.#rcpts.named > 0 ? 'rcpt' : 'mail';
    session.complaint ??= complaintOf(stage, readReply(session.opening.classify, stage, reply));
    return { kind: 'over' };
  }

  /**
   * Replies cannot be matched to their commands: none from the nth on counts. What was asked in groups is asked again,
   * one command at a time; where that was done, it is a protocol error.
   */
  #void(from = 0, silence = false): TransactionEnd {
    const lost = this.#rcpts.void(from);
    const { session, site } = this.#plan;
    const tookGroups = session.offers.pipelining && site.takesGroups;
    site.takesGroups = false;
    return tookGroups ? { kind: 'void', silence } : this.#unanswered('garbage', lost);
  }

  /** In a session that served others, some reply may have been theirs: that says nothing about groups. */
  #mixedUp(): TransactionEnd {
    this.#rcpts.void(0);
    return { kind: 'void', silence: false };
  }

  #silent(silence: Silence): TransactionEnd {
    const { session, site } = this.#plan;
    if (silence === 'timeout' || silence === 'lost') site.budget.noteSilence(session.asked.refusals);
    if (silence === 'timeout' && this.#group.length > 1) return this.#void(this.#answersBefore, true);
    // Some reply may have been left out: a refusal may be another recipient's.
    const lost =
      silence === 'ended' && this.#group.length > 1 ? this.#rcpts.void(this.#answersBefore, 'acceptances') : [];
    return this.#unanswered(silence, lost);
  }

  #unanswered(silence: Silence, lost: readonly RecipientProbe[]): TransactionEnd {
    const { named, madeUpAsked, madeUp } = this.#rcpts;
    const stage = named === 0 || this.#due?.kind === 'rset' || this.#due?.kind === 'mail' ? 'mail' : 'rcpt';
    const waiting = this.#group.slice(this.#answered).flatMap(recipientIn);
    return {
      kind: 'silent',
      silence,
      stage,
      named: [...lost, ...waiting],
      madeUpAsked: madeUpAsked && madeUp === null,
    };
  }
}

/** Pure. Every command sent was answered. @param opening to be sent before the first RCPT */
function nextCommands(opening: readonly Command[], rcpts: RcptRecord, plan: TransactionPlan): Next {
  const { test, queue, session, site } = plan;
  const commands = [...opening];
  let second: Next['second'] = null;
  if (test === 'under_way') {
    if (rcpts.owesMadeUp) commands.push('made_up');
    if (queue.left > 0) commands.push('rcpt');
  } else {
    const { permit } = plan;
    const { asked } = session;
    const { budget } = site;
    // What the server still takes. Nobody else is asked about while the place is wanted.
    const isWanted = rcpts.named > 0 && permit.isDue();
    const refusals = budget.refusalsMax - asked.refusals;
    const unknown = permit.unknown.left(permit.account);
    const inSession = Math.min(unknown, (isWanted ? 0 : budget.recipientsMax) - asked.recipients);
    const inTransaction = budget.transactionMax - rcpts.named;
    // An accepted recipient that is asked about again is expected to be accepted.
    second = test && secondControl(rcpts.answers, rcpts.madeUp, test.accepted);
    const refusalsOfTest = second?.kind === 'target' ? 2 : 1;
    const hasRoomForTest = inSession >= CONTROLS && refusals >= refusalsOfTest;
    const isReserved = hasRoomForTest && (second !== null || test?.expected === true);
    if (!hasRoomForTest) second = null;
    const reserved = isReserved ? CONTROLS : rcpts.owesMadeUp ? 1 : 0;
    // A budget of one recipient is left to a real one.
    const isFirst = asked.recipients === 0 && unknown > reserved;
    const most = Math.min(
      queue.left,
      plan.clientRefusals.window,
      budget.groupMax,
      inTransaction,
      refusals - (isReserved ? refusalsOfTest : reserved),
      Math.max(isFirst ? 1 : 0, inSession - reserved),
    );
    const recipients = Math.max(0, most);
    for (let n = 0; n < recipients; n += 1) commands.push('rcpt');
    // The made-up mailbox comes last: outstanding replies may allow another recipient before it. Its refusal counts.
    const isLast = recipients === 0 || queue.left === recipients || inSession <= recipients + 1;
    const room = Math.min(inSession, inTransaction, refusals);
    if (rcpts.owesMadeUp && second === null && isLast && room > recipients && refusals >= rcpts.madeUpRoom)
      commands.push('made_up');
  }
  const takesGroups = session.offers.pipelining && site.takesGroups;
  return { commands: takesGroups ? commands : commands.slice(0, 1), second };
}

function refusedMail({ session, continues }: TransactionPlan, reply: Reply): TransactionEnd {
  session.inTransaction = false;
  session.asked.refusals += 1;
  const answer = readReply(session.opening.classify, 'mail', reply);
  const complaint = complaintOf('mail', answer);
  // One message a session is no complaint about us.
  if (!continues || complaint?.isAboutRate === true) session.complaint ??= complaint;
  if (continues) return { kind: 'over' };
  return demandsTls(session, answer)
    ? { kind: 'tls_demanded', stage: 'mail', answer }
    : { kind: 'mail_refused', answer };
}

function recipientIn(sent: Sent): RecipientProbe[] {
  return sent.kind === 'rcpt' && sent.recipient !== null ? [sent.recipient] : [];
}

function addressIn(sent: Sent): string | null {
  return sent.kind === 'rcpt' ? `${sent.local}@${sent.domain}` : null;
}
