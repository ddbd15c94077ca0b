import type { Outcome } from '../../../schema/evidence.ts';
import type { LinkEvidence } from '../../../schema/link.ts';
import { isTurnedAway } from '../../../schema/outcomes.ts';
import { type Answer, answerOf, type Reply, replyOf } from '../trust/answer.ts';
import { type Heard, isDenial, isFirmDenial, isInDoubt, provesReach } from '../trust/doubt.ts';
import type { AskedOf, Trust } from '../trust/host-record.ts';
import type { HostTrust } from '../trust/host-records.ts';
import type { Asked } from '../trust/mailbox-answers.ts';
import type { HostRef } from '../trust/roster.ts';
import type { AddressState, AddressStates, Checked, HostLists } from './address-state.ts';
import type { BatchIndex } from '../../base/indexes.ts';
import type { Job, Reported } from './job.ts';

/** Answers of one address at most; evidence from two hosts is enough in any case. */
export const ANSWERS_MAX = 3;
/** How many resolvers are asked of a domain that takes no mail, as long as none of their hosts is believed by its own word. */
const DENIALS_MAX = 3;

/** Whose word counts within one batch, and of what another host is asked: `SecondHosts` says which. */
export class SecondOpinions {
  readonly #hosts: HostTrust;
  readonly #account: string;
  readonly #addresses: AddressStates;
  /** Processes that could not reach what another host then reached: in this batch nothing in doubt is believed of them. */
  readonly #contradicted = new Set<string>();
  /** One domain of a batch is compared, so that what comes of comparisons is of many. */
  #hasSampled = false;
  /** Domains and what was said of them: the addresses of one have much in common. */
  readonly #counted = new Set<string>();

  /** @param account whose batch it is, as contradictions are counted */
  constructor(hosts: HostTrust, account: string, addresses: AddressStates) {
    this.#hosts = hosts;
    this.#account = account;
    this.#addresses = addresses;
  }

  trustOf({ instance }: HostRef): Trust {
    return this.#contradicted.has(instance) ? 'unproven' : this.#hosts.trustOf(instance);
  }

  /** A host has answered: what that says of it and of others, and whether another is to be asked for that. */
  hear(job: Job, address: AddressState, reported: Reported, lists: HostLists): void {
    const { to } = job;
    const { evidence, provider } = reported;
    const { outcome } = evidence;
    const reply = replyOf(outcome);
    const disputed = this.#disputed(address, to, reply, provider);
    if (isInDoubt(outcome)) this.#doubt(job, address, outcome, lists);
    else if (provesReach(outcome) && disputed === null) this.#reached(job, address, evidence);
    const others = reply === null ? 0 : this.#doubts(to, reply, address, reported);
    if (others > 0) address.check = [];
    address.sampled ||= others > 1;
    if (disputed !== null && reply !== null && address.check === null)
      address.check = [{ ...disputed, answer: answerOf(disputed.evidence.outcome), provider: null }];
    if (address.check !== null)
      address.check = [...address.check, { from: to, evidence, answer: answerOf(outcome), provider }];
  }

  /** What is believed of an address that several hosts were asked about. @returns null: nothing */
  judge(address: AddressState, check: readonly Checked[]): Heard | null {
    const said = check.flatMap(({ from: host, answer }) => (answer === null ? [] : [{ host, answer }]));
    const provider = check.find((one) => one.provider !== null)?.provider ?? null;
    const [only] = check;
    const asked = this.#asked(address, provider);
    const answer = this.#hosts.mailboxes.judge(said, asked);
    if (answer !== null && answer !== 'denies') this.#contradict(address, asked);
    // Nobody else was there.
    if (only !== undefined && check.every(({ evidence }, n) => n === 0 || evidence.outcome.kind === 'unprobed'))
      return only;
    return check.find((one) => one.answer !== null && one.answer === answer) ?? null;
  }

  /** An address as what speaks for and against hosts is counted. */
  asked(index: BatchIndex): AskedOf {
    const { domain, zone } = this.#addresses.at(index);
    return { domain, zone, account: this.#account };
  }

  #asked({ domain, zone }: AddressState, provider: string | null): Asked {
    return { domain, zone, account: this.#account, provider };
  }

  /** A host that reached a receiver speaks for itself, and against every host that could not. */
  #reached(job: Job, address: AddressState, { signals }: LinkEvidence): void {
    const asked = this.#asked(address, null);
    job.doubtfulDomains.clear();
    // The large free providers are what canaries ask for: that they were found proves nothing.
    this.#hosts.reached(job.to, signals.free ? null : asked);
    // Of what is put to several, it is told when all have answered.
    if (address.check === null) this.#contradict(address, asked);
  }

  #contradict(address: AddressState, asked: AskedOf): void {
    for (const doubter of address.doubters) {
      this.#contradicted.add(doubter.instance);
      this.#hosts.contradicted(doubter, asked, address.deniers.includes(doubter));
    }
  }

  /**
   * A server that was reached proves that others are wrong who say that there is none, unless they find what others ask,
   * or the one that reached it says the same of everybody: it may say so of names that do not exist.
   * @returns what was said against it; null: nothing that counts
   */
  #disputed({ best, check }: AddressState, to: HostRef, reply: Reply | null, provider: string | null): Heard | null {
    if (best === null || check !== null || !isInDoubt(best.evidence.outcome)) return null;
    // A host without canaries has nothing that speaks for it against a server that was reached.
    if (this.trustOf(best.from) !== 'trusted') return null;
    const isWitness = (host: HostRef, answer: Answer): boolean =>
      this.#hosts.mailboxes.isWitness(host, answer, { account: this.#account, provider });
    const isBelieved = reply === null || isWitness(to, reply);
    const denies = isFirmDenial(best.evidence.outcome);
    return !isBelieved || (denies && isWitness(best.from, 'denies')) ? best : null;
  }

  /** How many other hosts are asked about what a mail server is said to have answered. */
  #doubts(to: HostRef, reply: Reply, address: AddressState, { evidence, provider }: Reported): number {
    const said = `${address.domain} ${reply}`;
    const isAgain = !evidence.signals.free && provider === null && this.#counted.has(said);
    const before =
      address.check?.[0]?.answer ?? (address.best === null ? null : answerOf(address.best.evidence.outcome));
    const as = address.answers > 0 ? { after: before } : isAgain ? 'again' : 'first';
    this.#counted.add(said);
    return this.#hosts.mailboxes.hear({ host: to, answer: reply }, this.#asked(address, provider), as);
  }

  #doubt({ to, doubtfulDomains }: Job, address: AddressState, outcome: Outcome, lists: HostLists): void {
    const denied = isDenial(outcome);
    doubtfulDomains.add(address.domain);
    address.doubters = lists.after(address.doubters, to);
    if (denied) address.deniers = lists.after(address.deniers, to);
    if (denied && !isFirmDenial(outcome)) address.unanswered = lists.after(address.unanswered, to);
    if (this.trustOf(to) !== 'trusted') return;
    if (denied) address.vouched ||= this.#hosts.vouch(to.instance);
    else if (!this.#hasSampled && this.#hosts.sample(to.instance, this.#account)) {
      this.#hasSampled = true;
      address.sampled = true;
    }
  }

  /** Whether the best that is known of an address is a resolver's word that no other host has confirmed. */
  isUnconfirmed({ best, vouched, seen, check }: AddressState): boolean {
    if (check !== null) return !this.#isAgreed(check);
    return best !== null && !vouched && seen < 2 && isDenial(best.evidence.outcome);
  }

  /** Whether as many resolvers got no answer as say that there is nothing: nobody knows which of them lie. */
  isOutvoted({ deniers, unanswered }: AddressState, { evidence: { outcome } }: Heard): boolean {
    const count = (hosts: readonly HostRef[]): number => hosts.filter((h) => this.trustOf(h) !== 'unproven').length;
    const without = count(unanswered);
    return isFirmDenial(outcome) && without > 0 && count(deniers) - without <= without;
  }

  /** Whether a host that has not tried yet may learn more of an address. */
  wantsAnother(address: AddressState, { from, evidence: { outcome } }: Heard): boolean {
    if (address.answers >= ANSWERS_MAX) return false;
    if (address.check !== null && (address.sampled || !this.#isAgreed(address.check))) return true;
    if (isTurnedAway(outcome)) return address.seen < 2;
    if (!isInDoubt(outcome)) return outcome.kind === 'unprobed' && outcome.why !== 'deadline';
    switch (this.trustOf(from)) {
      case 'trusted':
        if (isDenial(outcome)) return !address.vouched && address.seen < DENIALS_MAX;
        return address.sampled && address.seen < 2;
      case 'proven':
        return address.seen < 2;
      case 'unproven':
        return true;
    }
  }

  /** Whether two hosts said the same, and not both are doubted for it. */
  #isAgreed(check: readonly Checked[]): boolean {
    return check.some(({ answer, provider }, n) => {
      if (answer === null) return false;
      const alike = check.slice(n).filter((one) => one.answer === answer);
      const work = { account: this.#account, provider };
      return alike.length > 1 && alike.some(({ from }) => this.#hosts.mailboxes.isWitness(from, answer, work));
    });
  }
}
