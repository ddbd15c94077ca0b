import { mailCommand, rcptCommand, RSET } from '../wire/command.ts';
import { wantsFreshTransaction } from './made-up.ts';
import { isAboutClient, type Answered } from '../meaning/outcome.ts';
import type { Rapport } from './rapport.ts';
import type { Reply } from '../wire/reply.ts';
import { answered, isGood, type Session } from './session.ts';
import type { Slot } from './slot.ts';
import type { Silence } from '../wire/wire.ts';

export type Answer = Answered & { readonly slot: Slot };

/** How the asking ended. The session lives on after `finished`, `mail_refused`, `over` and `tls_demanded` only. */
export type Ending =
  /** Every recipient was asked, or the budget is used up, or the server refuses us whoever is asked for. */
  | { readonly kind: 'finished' }
  | { readonly kind: 'mail_refused'; readonly answer: Answered }
  /** The server said that this session is over. */
  | { readonly kind: 'over' }
  | { readonly kind: 'tls_demanded'; readonly stage: 'mail' | 'rcpt'; readonly answer: Answered }
  /** No reply came to a command. `named`: recipients whose RCPT was sent and not answered. */
  | {
      readonly kind: 'silent';
      readonly silence: Silence;
      readonly stage: 'mail' | 'rcpt';
      readonly named: readonly Slot[];
      readonly madeUpAsked: boolean;
    };

export type Findings = {
  readonly answers: readonly Answer[];
  /** The reply about the made-up mailbox, null where it was not asked or not answered. */
  readonly madeUp: Answered | null;
  readonly ending: Ending;
};

export type Questions = {
  readonly sender: string;
  readonly domain: string;
  /** Asked in this order; those that the budget leaves out are asked in another session. */
  readonly slots: readonly Slot[];
  readonly smtpUtf8: boolean;
  /** `known`: not asked. `if_accepted`: asked last, once a recipient was accepted. `owed`: asked in any case. */
  readonly madeUp: 'known' | 'if_accepted' | 'owed';
  readonly madeUpLocal: () => string;
};

type Step = { readonly kind: 'rset' | 'mail' | 'made_up' } | { readonly kind: 'rcpt'; readonly slot: Slot };

/**
 * Asks one server about recipients in one transaction: MAIL and the first RCPTs in one write where PIPELINING is offered
 * (RFC 2920), then one RCPT for each reply. Never are more RCPTs unanswered than refusals are left in the budget.
 */
export class Inquiry {
  readonly #session: Session;
  readonly #rapport: Rapport;
  readonly #questions: Questions;
  readonly #answers: Answer[] = [];
  readonly #outstanding: Step[] = [];
  #prelude: Step[] = [{ kind: 'mail' }];
  #mailAccepted = false;
  #next = 0;
  #recipients = 0;
  #refusals = 0;
  #unanswered = 0;
  #acceptances = 0;
  #madeUpAsked = false;
  #fresh = false;
  #madeUp: Answered | null = null;

  constructor(session: Session, rapport: Rapport, questions: Questions) {
    this.#session = session;
    this.#rapport = rapport;
    this.#questions = questions;
  }

  async run(): Promise<Findings> {
    const { wire, commandMs } = this.#session;
    for (;;) {
      if (this.#outstanding.length === 0 && !wire.quiet) return this.#interrupted();
      this.#fill();
      if (this.#outstanding.length === 0) return this.#found({ kind: 'finished' });
      const heard = await wire.hear(commandMs);
      if (heard.kind !== 'reply') return this.#silent(heard.kind);
      // What came with it is taken before more is asked, so that one write follows one read.
      for (let reply: Reply | null = heard.reply; reply !== null;) {
        const step = this.#outstanding.shift();
        if (step === undefined) return this.#unasked(reply);
        const ending = this.#take(step, reply);
        if (ending?.kind === 'tls_demanded') return this.#drain(ending);
        if (ending !== null) return this.#found(ending);
        reply = wire.take();
      }
    }
  }

  #fill(): void {
    const { sender, domain, slots, smtpUtf8 } = this.#questions;
    let lines = '';
    while (this.#prelude.length > 0 && this.#mayGoOn()) {
      const step = this.#prelude.shift();
      if (step === undefined) break;
      lines += step.kind === 'rset' ? RSET : mailCommand(sender, smtpUtf8);
      this.#outstanding.push(step);
    }
    while (this.#mayAsk()) {
      const slot = slots[this.#next];
      if (slot === undefined) break;
      this.#next += 1;
      lines += this.#ask(slot.local, domain, { kind: 'rcpt', slot });
    }
    if (this.#mayAskMadeUp()) {
      this.#madeUpAsked = true;
      lines += this.#ask(this.#questions.madeUpLocal(), domain, { kind: 'made_up' });
    }
    if (lines !== '') this.#session.wire.send(lines);
  }

  #ask(local: string, domain: string, step: Step): string {
    this.#recipients += 1;
    this.#unanswered += 1;
    this.#outstanding.push(step);
    return rcptCommand(local, domain);
  }

  /** Without PIPELINING a command waits for the reply to the one before. */
  #mayGoOn(): boolean {
    return this.#session.offers.pipelining || this.#outstanding.length === 0;
  }

  #mayName(): boolean {
    return this.#prelude.length === 0 && this.#mayGoOn() && (this.#mailAccepted || this.#session.offers.pipelining);
  }

  #mayAsk(): boolean {
    if (this.#next >= this.#questions.slots.length || this.#rapport.refused || !this.#mayName()) return false;
    const { madeUp } = this.#questions;
    const reservesRefusal = madeUp === 'owed' || (madeUp === 'if_accepted' && this.#acceptances > 0);
    const refusalsLeft = this.#rapport.refusalsMax - this.#refusals - (reservesRefusal ? 1 : 0);
    // A budget of one recipient serves a real one: the made-up one then has a session of its own.
    const reservesRecipient = madeUp !== 'known' && this.#rapport.recipientsMax > 1;
    const recipientsMax = this.#rapport.recipientsMax - (reservesRecipient ? 1 : 0);
    return this.#unanswered < Math.min(refusalsLeft, this.#rapport.window) && this.#recipients < recipientsMax;
  }

  /** Last: only when no recipient follows in this session. Its refusal counts like any other. */
  #mayAskMadeUp(): boolean {
    const { madeUp } = this.#questions;
    if (madeUp === 'known' || this.#madeUpAsked || !this.#mayName()) return false;
    if (madeUp === 'if_accepted' && this.#acceptances === 0) return false;
    if (this.#unanswered > 0 && this.#mayFollow()) return false;
    const refusalsLeft = this.#rapport.refusalsMax - this.#refusals;
    return this.#unanswered < refusalsLeft && this.#recipients < this.#rapport.recipientsMax;
  }

  /** Whether replies still due could let a further recipient be asked before the made-up one. */
  #mayFollow(): boolean {
    const more = this.#next < this.#questions.slots.length && !this.#rapport.refused;
    return more && this.#recipients < this.#rapport.recipientsMax - 1;
  }

  #take(step: Step, reply: Reply): Ending | null {
    switch (step.kind) {
      case 'rset':
        if (isGood(reply)) return null;
        this.#madeUp = answered(this.#session.classify, 'rcpt', reply);
        return { kind: 'over' };
      case 'mail':
        return this.#takeMail(reply);
      case 'rcpt':
      case 'made_up': {
        this.#unanswered -= 1;
        const { domain } = this.#questions;
        const asked = step.kind === 'rcpt' ? { local: step.slot.local, domain } : undefined;
        const answer = answered(this.#session.classify, 'rcpt', reply, asked);
        if (isAboutClient(answer)) this.#session.cool = true;
        if (reply.code >= 400) this.#refusals += 1;
        return step.kind === 'rcpt' ? this.#takeRcpt(step.slot, answer) : this.#takeMadeUp(answer);
      }
    }
  }

  #takeMail(reply: Reply): Ending | null {
    if (isGood(reply)) {
      this.#mailAccepted = true;
      return null;
    }
    const answer = answered(this.#session.classify, 'mail', reply);
    if (isAboutClient(answer)) this.#session.cool = true;
    if (this.#fresh) {
      this.#madeUp = answer;
      return { kind: 'over' };
    }
    return this.#demandsTls(answer)
      ? { kind: 'tls_demanded', stage: 'mail', answer }
      : { kind: 'mail_refused', answer };
  }

  /** An end of the session is evidence only for the first recipient of a fresh one; the rest is asked in another. */
  #takeRcpt(slot: Slot, answer: Answered): Ending | null {
    if (this.#demandsTls(answer)) return { kind: 'tls_demanded', stage: 'rcpt', answer };
    if (answer.said.endsSession) {
      if (this.#answers.length === 0) {
        this.#rapport.note(answer);
        this.#answers.push({ ...answer, slot });
      } else this.#rapport.shorten(this.#answers.length, this.#refusals - 1);
      return { kind: 'over' };
    }
    this.#rapport.note(answer);
    this.#answers.push({ ...answer, slot });
    if (answer.said.meaning === 'accepted') this.#acceptances += 1;
    return null;
  }

  #takeMadeUp(answer: Answered): Ending | null {
    if (wantsFreshTransaction(answer.reply.code, answer.said) && !this.#fresh && this.#answers.length > 0) {
      this.#fresh = true;
      this.#mailAccepted = false;
      this.#madeUpAsked = false;
      this.#next = this.#questions.slots.length;
      this.#prelude = [{ kind: 'rset' }, { kind: 'mail' }];
      return null;
    }
    this.#madeUp = answer;
    return answer.said.endsSession ? { kind: 'over' } : null;
  }

  #demandsTls({ said }: Answered): boolean {
    return said.demandsTls && !this.#session.secure;
  }

  /** The replies to what was pipelined behind the refused command are read and are no evidence. */
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
      this.#session.cool = true;
      return this.#found({ kind: 'over' });
    }
    const named = this.#answers.splice(0).map(({ slot }) => slot);
    this.#madeUp = null;
    return this.#found({ kind: 'silent', silence: 'garbage', stage: 'rcpt', named, madeUpAsked: this.#madeUpAsked });
  }

  #silent(silence: Silence): Findings {
    const named: Slot[] = [];
    let madeUpAsked = false;
    for (const step of this.#outstanding) {
      if (step.kind === 'rcpt') named.push(step.slot);
      else if (step.kind === 'made_up') madeUpAsked = true;
    }
    const stage = this.#mailAccepted || this.#fresh ? 'rcpt' : 'mail';
    return this.#found({ kind: 'silent', silence, stage, named, madeUpAsked: madeUpAsked || this.#fresh });
  }

  #found(ending: Ending): Findings {
    return { answers: this.#answers, madeUp: this.#madeUp, ending };
  }
}
