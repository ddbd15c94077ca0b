import { helloCommand, mailCommand, rcptCommand, RSET } from '../wire/command.ts';
import { wantsFreshTransaction } from '../catch-all/made-up.ts';
import { type ReadReply, readReply } from '../meaning/outcome.ts';
import { complaintOf } from '../limits/complaint.ts';
import type { RecipientAllowance } from '../limits/connection-request.ts';
import type { Rapport } from './rapport.ts';
import type { RecipientProbe } from '../recipients/recipient-probe.ts';
import type { Stage } from '../ports/stage.ts';
import type { Reply } from '../wire/reply.ts';
import { areSame, isGood, isHelloOf, roomFor, type Session, takeHello } from './session.ts';
import type { Silence } from '../wire/wire.ts';
import type { Ending, Findings, RcptReply } from './findings.ts';
import type { Waiting } from '../recipients/recipient-queue.ts';

export type Questions = {
  readonly sender: string;
  readonly domain: string;
  /** Taken in this order; those that the budget leaves are asked about in another session. */
  readonly waiting: Waiting;
  readonly smtpUtf8: boolean;
  /** `known`: not asked. `if_accepted`: asked last, once a recipient was accepted. `owed`: asked in any case. */
  readonly madeUp: 'known' | 'if_accepted' | 'owed';
  readonly madeUpLocal: () => string;
  /** What may be asked about that the server does not know. */
  readonly allowance: RecipientAllowance;
  /** Called after replies came and before more is asked. */
  readonly onReplies?: () => void;
};

/** What differs from session to session. */
export type Asked = Pick<Questions, 'waiting' | 'smtpUtf8' | 'madeUp' | 'allowance' | 'onReplies'>;

type Step =
  | { readonly kind: 'greeting' | 'ehlo' | 'rset' | 'mail' | 'made_up' }
  | { readonly kind: 'rcpt'; readonly recipient: RecipientProbe };

/** `prelude`: what is still to be sent before the first RCPT. `fresh`: the second one, for the made-up mailbox. */
type Transaction = { readonly prelude: Step[]; mailAccepted: boolean; readonly fresh: boolean };

/**
 * Asks one server about recipients in one transaction: MAIL and the first RCPTs in one write if PIPELINING is offered
 * (RFC 2920), then one RCPT for each reply. Never are more RCPTs unanswered than refusals are left in the budget.
 */
export class Inquiry {
  readonly #session: Session;
  readonly #rapport: Rapport;
  readonly #questions: Questions;
  readonly #answers: RcptReply[] = [];
  readonly #outstanding: Step[] = [];
  #transaction: Transaction;
  readonly #asked = { recipients: 0, unanswered: 0, madeUp: false };
  readonly #heard: { accepted: boolean; madeUp: ReadReply | null } = { accepted: false, madeUp: null };

  constructor(session: Session, rapport: Rapport, questions: Questions) {
    this.#session = session;
    this.#rapport = rapport;
    this.#questions = questions;
    const prelude: Step[] = session.inTransaction ? [{ kind: 'rset' }, { kind: 'mail' }] : [{ kind: 'mail' }];
    this.#transaction = { prelude, mailAccepted: false, fresh: false };
    session.inTransaction = true;
  }

  async run(): Promise<Findings> {
    const { wire, commandMs, onReply } = this.#session;
    for (;;) {
      if (this.#outstanding.length === 0 && !wire.quiet) return this.#interrupted();
      this.#fill();
      if (this.#outstanding.length === 0) return this.#found({ kind: 'finished' });
      const heard = await wire.hear(commandMs);
      if (heard.kind !== 'reply') return this.#silent(heard.kind);
      onReply?.(stageOf(this.#outstanding[0]), wire.waitedMs);
      if (this.#asked.unanswered > 0) this.#rapport.noteWait(wire.waitedMs);
      // What came with it is taken before more is asked, so that one write follows one read.
      for (let reply: Reply | null = heard.reply; reply !== null;) {
        const step = this.#outstanding.shift();
        if (step === undefined) return this.#unasked(reply);
        const ending = this.#take(step, reply);
        if (ending?.kind === 'tls_demanded') return this.#drain(ending);
        if (ending !== null) return this.#found(ending);
        reply = wire.take();
      }
      this.#questions.onReplies?.();
    }
  }

  #fill(): void {
    const { sender, domain, waiting, smtpUtf8 } = this.#questions;
    const { prelude } = this.#transaction;
    let lines = '';
    if (this.#session.unopened && this.#outstanding.length === 0) {
      lines = helloCommand('EHLO', this.#session.heloName);
      this.#outstanding.push({ kind: 'greeting' }, { kind: 'ehlo' });
    }
    while (prelude.length > 0 && this.#mayGoOn()) {
      const step = prelude.shift();
      if (step === undefined) break;
      lines += step.kind === 'rset' ? RSET : mailCommand(sender, smtpUtf8);
      this.#outstanding.push(step);
    }
    while (this.#mayAsk()) {
      const recipient = waiting.take();
      if (recipient === undefined) break;
      this.#asked.recipients += 1;
      lines += this.#ask(recipient.local, domain, { kind: 'rcpt', recipient });
    }
    if (this.#mayAskMadeUp()) {
      this.#asked.madeUp = true;
      lines += this.#ask(this.#questions.madeUpLocal(), domain, { kind: 'made_up' });
    }
    if (lines !== '') this.#session.wire.send(lines);
  }

  #ask(local: string, domain: string, step: Step): string {
    this.#session.asked.recipients += 1;
    this.#asked.unanswered += 1;
    this.#questions.allowance.count();
    this.#outstanding.push(step);
    return rcptCommand(local, domain);
  }

  /** Without PIPELINING a command waits for the reply to the one before. */
  #mayGoOn(): boolean {
    return this.#session.offers.pipelining || this.#outstanding.length === 0;
  }

  #mayName(): boolean {
    const { prelude, mailAccepted } = this.#transaction;
    return prelude.length === 0 && this.#mayGoOn() && (mailAccepted || this.#session.offers.pipelining);
  }

  #mayAsk(): boolean {
    if (!this.#hasMore() || !this.#mayName()) return false;
    const { asked } = this.#session;
    const { allowance } = this.#questions;
    // The made-up mailbox is sure to be asked about once somebody was accepted. A budget of one recipient serves a real one.
    const reserved = this.#owesMadeUp() ? 1 : 0;
    const refusalsLeft = this.#rapport.refusalsMax - asked.refusals - reserved;
    const recipientsMax = Math.max(1, this.#rapport.recipientsMax - reserved);
    if (allowance.left() <= reserved) return false;
    return this.#asked.unanswered < Math.min(refusalsLeft, this.#rapport.window) && asked.recipients < recipientsMax;
  }

  #owesMadeUp(): boolean {
    const { madeUp } = this.#questions;
    return madeUp === 'owed' || (madeUp === 'if_accepted' && this.#heard.accepted);
  }

  /** Last: only when no recipient follows in this session. Its refusal counts like any other. */
  #mayAskMadeUp(): boolean {
    const { madeUp } = this.#questions;
    if (madeUp === 'known' || this.#asked.madeUp || !this.#mayName()) return false;
    if (madeUp === 'if_accepted' && !this.#heard.accepted) return false;
    if (this.#questions.allowance.left() === 0) return false;
    if (this.#asked.unanswered > 0 && this.#mayFollow()) return false;
    const { asked, turn } = this.#session;
    const refusalsLeft = this.#rapport.refusalsMax - asked.refusals;
    // If others have used up the budget, a refusal would be in doubt: it waits for another session.
    if (turn > 0 && refusalsLeft < roomFor(this.#session)) return false;
    return this.#asked.unanswered < refusalsLeft && asked.recipients < this.#rapport.recipientsMax;
  }

  /** Whether replies still due could let a further recipient be asked before the made-up one. */
  #mayFollow(): boolean {
    return this.#hasMore() && this.#session.asked.recipients < this.#rapport.recipientsMax - 1;
  }

  /** None follows in the fresh transaction: it is for the made-up mailbox alone. */
  #hasMore(): boolean {
    return this.#questions.waiting.left > 0 && !this.#transaction.fresh && !this.#rapport.refused;
  }

  #take(step: Step, reply: Reply): Ending | null {
    if (this.#isRepeated(step, reply)) {
      this.#session.slipped = true;
      // The replies of one domain would be taken for another's.
      if (this.#session.turn > 0) return { kind: 'over' };
    }
    // A server that answers EHLO twice would have all that follows taken for the answer to the command before.
    if (step.kind !== 'ehlo' && isHelloOf(this.#session, reply)) return this.#void();
    switch (step.kind) {
      // What is not as it was offered is no evidence: another session is opened in due order.
      case 'greeting':
        return reply.code === 220 ? null : { kind: 'over' };
      case 'ehlo':
        return takeHello(this.#session, reply) ? null : { kind: 'over' };
      case 'rset':
        if (isGood(reply)) return null;
        if (!this.#transaction.fresh) return { kind: 'over' };
        this.#heard.madeUp = readReply(this.#session.classify, 'rcpt', reply);
        return { kind: 'over' };
      case 'mail':
        return this.#takeMail(reply);
      case 'rcpt':
      case 'made_up': {
        this.#asked.unanswered -= 1;
        const { domain } = this.#questions;
        const asked = step.kind === 'rcpt' ? { local: step.recipient.local, domain } : undefined;
        const answer = readReply(this.#session.classify, 'rcpt', reply, asked);
        if (answer.said.meaning !== 'no_such_mailbox') this.#questions.allowance.uncount();
        this.#session.complaint ??= complaintOf('rcpt', answer);
        if (reply.code >= 400) {
          this.#session.asked.refusals += 1;
          this.#rapport.noteRefusal(this.#session.wire.waitedMs, this.#session.asked.refusals);
        }
        return step.kind === 'rcpt' ? this.#takeRcpt(step.recipient, answer) : this.#takeMadeUp(answer);
      }
    }
  }

  /**
   * Whether a server seems to have said a reply twice: to a command that names a recipient word for word the same as to the one
   * before, which named none, or the other way round. Servers that say a bare "ok" to everything do so without enhanced codes.
   */
  #isRepeated({ kind }: Step, { enhanced, lines }: Reply): boolean {
    const before = this.#session.lastReply;
    const ofRecipient = kind === 'rcpt' || kind === 'made_up';
    this.#session.lastReply = { ofRecipient, lines };
    if (enhanced === null || before === null || before.ofRecipient === ofRecipient) return false;
    return areSame(before.lines, lines);
  }

  #takeMail(reply: Reply): Ending | null {
    if (isGood(reply)) {
      this.#transaction.mailAccepted = true;
      return null;
    }
    const answer = readReply(this.#session.classify, 'mail', reply);
    this.#session.complaint ??= complaintOf('mail', answer);
    if (this.#transaction.fresh) {
      this.#heard.madeUp = answer;
      return { kind: 'over' };
    }
    return this.#demandsTls(answer)
      ? { kind: 'tls_demanded', stage: 'mail', answer }
      : { kind: 'mail_refused', answer };
  }

  /** An end of the session is evidence only for the first recipient of a fresh one; the rest is asked in another. */
  #takeRcpt(recipient: RecipientProbe, answer: ReadReply): Ending | null {
    if (this.#demandsTls(answer)) return { kind: 'tls_demanded', stage: 'rcpt', answer };
    if (answer.said.endsSession) {
      const { asked, turn } = this.#session;
      const borne = asked.recipients - this.#asked.unanswered - 1;
      if (this.#answers.length === 0 && turn === 0) {
        this.#rapport.note(answer);
        this.#answers.push({ ...answer, recipient });
      } else if (turn > 0 && this.#session.complaint !== null) this.#rapport.note(answer);
      else this.#rapport.shorten(borne, asked.refusals - 1);
      return { kind: 'over' };
    }
    this.#rapport.note(answer);
    this.#answers.push({ ...answer, recipient });
    if (answer.said.meaning === 'accepted') this.#heard.accepted = true;
    return null;
  }

  #takeMadeUp(answer: ReadReply): Ending | null {
    if (wantsFreshTransaction(answer.reply.code, answer.said) && !this.#transaction.fresh && this.#answers.length > 0) {
      this.#transaction = { prelude: [{ kind: 'rset' }, { kind: 'mail' }], mailAccepted: false, fresh: true };
      this.#asked.madeUp = false;
      return null;
    }
    this.#heard.madeUp = answer;
    return answer.said.endsSession ? { kind: 'over' } : null;
  }

  #demandsTls({ said }: ReadReply): boolean {
    return said.demandsTls && !this.#session.secure;
  }

  /** The replies to what was pipelined behind the refused command are read, and are not evidence of anything. */
  async #drain(ending: Ending): Promise<Findings> {
    while (this.#outstanding.length > 0) {
      const heard = await this.#session.wire.hear(this.#session.commandMs);
      if (heard.kind !== 'reply') return this.#silent(heard.kind);
      this.#outstanding.shift();
    }
    return this.#found(ending);
  }

  /** Bytes that answer nothing. A part of a reply is waited for no longer: this session has served. */
  #interrupted(): Findings {
    const reply = this.#session.wire.take();
    if (reply !== null) return this.#unasked(reply);
    return this.#session.wire.garbled ? this.#silent('garbage') : this.#found({ kind: 'over' });
  }

  /** A 421 says goodbye. Any other reply too many means that no reply can be matched to its command: all are void. */
  #unasked(reply: Reply): Findings {
    if (reply.code === 421) {
      const stage = this.#asked.recipients > 0 || this.#asked.madeUp ? 'rcpt' : 'mail';
      this.#session.complaint ??= complaintOf(stage, readReply(this.#session.classify, stage, reply));
      return this.#found({ kind: 'over' });
    }
    return this.#found(this.#void());
  }

  /** No reply can be matched to its command: nothing that was said counts. */
  #void(): Ending {
    const named = this.#answers.splice(0).map(({ recipient }) => recipient);
    for (const step of this.#outstanding) if (step.kind === 'rcpt') named.push(step.recipient);
    this.#heard.madeUp = null;
    return { kind: 'silent', silence: 'garbage', stage: 'rcpt', named, madeUpAsked: this.#asked.madeUp };
  }

  #silent(silence: Silence): Findings {
    const named: RecipientProbe[] = [];
    let madeUpAsked = false;
    for (const step of this.#outstanding) {
      if (step.kind === 'rcpt') named.push(step.recipient);
      else if (step.kind === 'made_up') madeUpAsked = true;
    }
    const { mailAccepted, fresh } = this.#transaction;
    const stage = mailAccepted || fresh ? 'rcpt' : 'mail';
    return this.#found({ kind: 'silent', silence, stage, named, madeUpAsked: madeUpAsked || fresh });
  }

  #found(ending: Ending): Findings {
    return { answers: this.#answers, madeUp: this.#heard.madeUp, ending };
  }
}

/** What the reply to a step counts as. */
function stageOf(step: Step | undefined): Stage {
  if (step?.kind === 'greeting' || step?.kind === 'ehlo') return step.kind;
  return step?.kind === 'mail' || step?.kind === 'rset' ? 'mail' : 'rcpt';
}
