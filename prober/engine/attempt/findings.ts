import type { Outcome, SmtpReply } from '../../../schema/evidence.ts';
import { isVerdict, refusesMailbox, refusesUs } from '../../../schema/outcomes.ts';
import { RandomRecipient } from './random-recipient.ts';
import type { Finding } from '../meaning/controls.ts';
import { outcomeOfRcpt } from '../meaning/outcome.ts';
import { MEANINGS } from '../meaning/rules/meanings.ts';
import { providerOf } from '../providers/provider-limits.ts';
import { atRcptOf } from '../providers/provider-facts.ts';
import { further, type RecipientProbe } from '../recipients/recipient.ts';
import { ClientRefusals } from '../recipients/client-refusals.ts';
import { failed } from '../smtp/failure.ts';
import type { MayTest, RcptReply, TransactionResult } from '../smtp/transaction-plan.ts';
import type { SessionResult } from '../limits/permit.ts';
import type { Held } from '../site/worker.ts';
import { noteFailure, refusesSender } from '../site/open.ts';
import type { Site } from '../site/site.ts';
import type { Target } from '../targets/targets.ts';
import { consequenceOf, judges, type Onward, type SessionEnd, type Way } from './next-step.ts';
import type { DomainProbe } from './domain-probe.ts';

/**
 * One address of one MX host while it is asked about one domain: the recipients still to be asked about there, and
 * where evidence goes. The attempt's sessions share it.
 */
export class Findings {
  readonly probe: DomainProbe;
  readonly target: Target;
  /** The sessions at this address, shared with other domains of the account. */
  readonly site: Site;
  readonly clientRefusals = new ClientRefusals();
  readonly random: RandomRecipient;
  readonly #accepted: RecipientProbe[] = [];
  /** Deferred in sessions that judged nobody. Null once they were asked about again. */
  #deferred: RecipientProbe[] | null = [];
  /** A reply arrived that needs a test. */
  #puzzled = false;
  /** Found dead by tests, and held back: a later one may contradict. Null once one did: no more are found. */
  #shown: { readonly recipient: RecipientProbe; readonly outcome: Outcome }[] | null = [];
  #strikes = 0;
  /** The streak of refusals at the address when the domain was first asked about, or refused in a shared session. */
  since: number | null = null;
  /** Where to go once there is no one left to ask about here. */
  onward: Onward = 'next_host';

  constructor(probe: DomainProbe, target: Target) {
    const { settings } = probe.context;
    this.probe = probe;
    this.target = target;
    this.site = probe.job.sites.arrive(probe.job.account, target, providerOf(target.host, settings.limits.providers));
    this.random = new RandomRecipient(
      probe,
      atRcptOf(target.host, settings.providers) === 'accepts_all' ? { kind: 'provider_accepts_all' } : null,
    );
  }

  /** Once a refusal takes longer than the rest of the batch, asking is pointless. */
  get hasTime(): boolean {
    const { probe, site } = this;
    return probe.context.ports.clock.now() + site.budget.refusalMs < probe.job.deadlineMs;
  }

  /** What a test of later replies can build on; null after one that failed: none would count. */
  get mayTest(): MayTest | null {
    if (this.#shown === null) return null;
    return { accepted: this.#accepted, expected: this.#puzzled && this.#accepted.length > 0 };
  }

  /** Recipients for the next session: all of one kind, since SMTPUTF8 holds for a whole transaction. */
  forNextSession(): readonly RecipientProbe[] {
    const them: RecipientProbe[] = [];
    for (const recipient of this.probe.recipients)
      if (this.isAskable(recipient) && recipient.utf8 === (them[0] ?? recipient).utf8) them.push(recipient);
    return them;
  }

  /** It is still to be asked about here, and no session has it. */
  isAskable({ state, leftAt, isTaken }: RecipientProbe): boolean {
    return state === 'open' && leftAt !== this.target && !isTaken;
  }

  leave(recipients: readonly RecipientProbe[]): void {
    for (const recipient of recipients) recipient.leftAt = this.target;
  }

  /** Records what was said about mailboxes. */
  hear({ answers, madeUp }: Pick<TransactionResult, 'answers' | 'madeUp'>): void {
    for (const answer of answers) this.#hearAnswer(answer.recipient, answer);
    this.#askDeferredAgain({ answers, madeUp });
    const refusals = answers.filter(({ reply }) => reply.code >= 400).length;
    if (madeUp !== null) this.random.heard(madeUp, answers, this.site.budget.isSpentAfter(refusals));
  }

  /** Those deferred in sessions that judged nobody are asked about again, once, when a later one judges somebody. */
  #askDeferredAgain(heard: Pick<TransactionResult, 'answers' | 'madeUp'>): void {
    if (!judges(heard)) {
      for (const { recipient, said } of heard.answers)
        if (MEANINGS[said.meaning].defers) this.#deferred?.push(recipient);
    } else if (this.#deferred !== null && this.#deferred.length > 0) {
      for (const recipient of this.#deferred) recipient.leftAt = null;
      this.#deferred = null;
    }
  }

  /** Records the result of a test: a contradiction withdraws what others found. */
  noteFinding(finding: Finding): void {
    if (finding !== 'contradicted' && finding !== 'about_us') return;
    for (const { recipient } of this.#shown ?? []) recipient.state = 'open';
    this.#shown = null;
  }

  /** No recipient is asked about here any more: those held back are reported. */
  close(): void {
    this.random.close();
    for (const { recipient, outcome } of this.#shown ?? []) this.probe.settle(recipient, outcome);
  }

  /** Records how a session went for this domain. */
  report({ permit }: Pick<Held, 'permit'>, result: SessionResult): void {
    const met = this.probe.job.failures.get(this.target.ip);
    // One that began before the failure says nothing about it.
    const isOlder = met !== undefined && refusesSender(met) && permit.startedAt <= met.atMs;
    if (result === 'served' && !isOlder) this.probe.job.failures.delete(this.target.ip);
    permit.report(this.probe.domain, result, this.since ?? permit.server.refusals.streak);
  }

  /** Records what the end of a session, or of the attempt to get one, is evidence of. @returns where to ask next */
  conclude(end: SessionEnd): Way {
    const { probe, target } = this;
    if (end.kind === 'failed') probe.noteFailure(end.failure);
    const { way, evidence, about, madeUp, strikes } = consequenceOf(end, this.#strikes);
    this.#strikes = strikes;
    if (way !== 'same_address') this.onward = way;
    // The host's next address may do better for those that were given up.
    else if (about.length > 0) this.onward = 'next_address';
    if (evidence === null) return way;
    if (evidence.kind === 'relay_denied') {
      for (const recipient of probe.open()) this.#noteRelayDenied(recipient, evidence.reply);
      return way;
    }
    if (about === 'server') probe.noteServer(evidence);
    else for (const recipient of about) recipient.best = further(recipient.best, evidence);
    if (about !== 'server') this.leave(about);
    if (end.kind !== 'failed' && refusesUs(evidence))
      noteFailure(probe.job.failures, target, failed('hello', 'refused', evidence), probe.context.ports.clock.now());
    if (madeUp) this.random.stopped(evidence);
    return way;
  }

  /** No verdict until every published host says the same; the host's next address may serve the domain. */
  #noteRelayDenied(recipient: RecipientProbe, reply: SmtpReply): void {
    recipient.relay ??= { reply, ips: new Set() };
    recipient.relay.ips.add(this.target.ip);
    this.onward = 'next_address';
  }

  #hearAnswer(recipient: RecipientProbe, answer: RcptReply): void {
    recipient.leftAt = this.target;
    const outcome = outcomeOfRcpt(answer);
    this.#puzzled ||= answer.masked !== null;
    if (outcome.kind === 'taken') {
      this.#accepted.push(recipient);
      this.random.add(recipient, outcome.reply);
    } else if (outcome.kind === 'relay_denied') this.#noteRelayDenied(recipient, outcome.reply);
    else if (answer.said.by === 'controls' && refusesMailbox(outcome)) {
      recipient.best = further(recipient.best, { kind: 'unexpected_code', reply: outcome.reply });
      if (this.#shown === null) return;
      recipient.state = 'held';
      this.#shown.push({ recipient, outcome });
    } else if (isVerdict(outcome)) this.probe.settle(recipient, outcome);
    else recipient.best = further(recipient.best, outcome);
  }
}
