import type { Outcome } from '../../../schema/evidence.ts';
import { type JobFrame, LINK_VERSION, type LinkEvidence } from '../../../schema/link.ts';
import { providerNameOf } from '../../../schema/providers.ts';
import type { Differences } from './differences.ts';
import { type Agreement, type Compared, type Firm, OTHERS } from './host-tally.ts';
import { type Answer, answerOf } from './answer.ts';
import type { AskedOf } from './host-record.ts';
import { eligible, type HostRef, type Member, otherHosts, pick } from './roster.ts';
import type { FleetServices } from './services.ts';
import { SampleTurns } from './sample-turns.ts';

// Now and then an address is put to a second host too, after its caller's answer and apart from it: what comes of it
// changes no verdict, no price and nobody's waiting. A host that is burned where it does not notice, misled by its
// resolver, or dishonest stands alone among its peers sooner or later.

type Said = { readonly host: HostRef; readonly firm: Firm; readonly answer: Answer | null };
type Comparison = {
  readonly asked: AskedOf;
  /** The job's text: the one address. */
  readonly payload: string;
  readonly said: Said[];
  provider: string | null;
  job: { readonly jobId: string; readonly member: Member } | null;
  cancelTimer: () => void;
};

/** At once; one more is not begun. */
const UNDER_WAY_MAX = 50;
const LASTS_MS = 60_000;
/** A host must not know which of its jobs are comparisons: so they have as much time as others, and are of the same account. */
const SEEMS_TO_LAST_MS = { least: 80_000, most: 90_000 };
const v = LINK_VERSION;

/** What a batch offers: evidence that is final, and where it came from. */
export type Offer = {
  readonly from: HostRef;
  readonly evidence: LinkEvidence;
  readonly asked: AskedOf;
  /** The text of a job that asks about this address alone. */
  readonly payload: () => string;
};

export type ComparisonSettings = {
  /** One address in this many is compared, and more of a host with which few agreed so far; 0: none. */
  readonly every: number;
  /** An id that no job ever had, and like that of any batch. */
  readonly newId: () => string;
};

export class Comparisons {
  readonly #services: FleetServices;
  readonly #differences: Differences;
  readonly #settings: ComparisonSettings;
  readonly #underWay = new Map<string, Comparison>();
  readonly #turns: SampleTurns;

  constructor(services: FleetServices, differences: Differences, settings: ComparisonSettings) {
    this.#services = services;
    this.#differences = differences;
    this.#settings = settings;
    this.#turns = new SampleTurns(settings.every, () => services.random());
  }

  /** Whether a batch's id is that of a comparison. */
  has(id: string): boolean {
    return this.#underWay.has(id);
  }

  get underWay(): number {
    return this.#underWay.size;
  }

  /** One address in `every` is put to another host, or more. */
  offer({ from, evidence, asked, payload }: Offer): void {
    const { every, newId } = this.#settings;
    if (every === 0 || this.#underWay.size >= UNDER_WAY_MAX) return;
    const firm = firmOf(evidence.outcome);
    if (firm === null || !this.#turns.isNext(from.host, this.#services.hosts.mailboxes.streak(from.instance))) return;
    const id = newId();
    const comparison: Comparison = {
      asked,
      payload: payload(),
      said: [{ host: from, firm, answer: answerOf(evidence.outcome) }],
      provider: null,
      job: null,
      cancelTimer: () => {},
    };
    this.#underWay.set(id, comparison);
    if (!this.#askAnother(id, comparison)) this.#underWay.delete(id);
  }

  /** A host said something about a job of this id. @returns whether it was anything new */
  hear(id: string, from: string, frame: JobFrame): boolean {
    const comparison = this.#underWay.get(id);
    const job = comparison?.job ?? null;
    if (comparison === undefined || job === null) return false;
    if (job.jobId !== frame.job || job.member.instance !== from) return false;
    if (frame.type === 'ack' || frame.type === 'alive') return frame.type === 'ack';
    const item = frame.type === 'evidence' ? frame.items.find(({ index }) => index === 0) : undefined;
    const firm = item === undefined ? null : firmOf(item.evidence.outcome);
    this.#release(comparison);
    if (frame.type !== 'evidence' || item === undefined || firm === null) this.#end(id, comparison);
    else {
      const mx = frame.mx.find(({ n }) => n === item.evidence.mx)?.mx[0];
      if (mx !== undefined) comparison.provider = providerNameOf(mx);
      comparison.said.push({ host: job.member, firm, answer: answerOf(item.evidence.outcome) });
      const differ = new Set(comparison.said.map((said) => said.firm)).size > 1;
      // Of two that differ a third decides.
      if (!(differ && comparison.said.length === 2 && this.#askAnother(id, comparison))) this.#end(id, comparison);
    }
    return true;
  }

  #askAnother(id: string, comparison: Comparison): boolean {
    const { clock, links, accountNumber, random, signJob } = this.#services;
    const { said, payload, asked } = comparison;
    const member = this.#chooseAnother(said);
    if (member === null) return false;
    const { instance } = member;
    const jobId = `${id}.${said.length}`;
    comparison.job = { jobId, member };
    links.jobBegan(instance, jobId, 1);
    const giveUp = (): void => {
      this.#release(comparison);
      this.#end(id, comparison);
    };
    comparison.cancelTimer = clock.after(LASTS_MS, () => {
      links.send(instance, { v, type: 'cancel', job: jobId });
      giveUp();
    });
    const account = accountNumber(asked.account);
    const { least, most } = SEEMS_TO_LAST_MS;
    const remainingMs = Math.round(least + random() * (most - least));
    // A host that rests at the provider is not made to ask there for this.
    signJob({ jobId, to: member, remainingMs, account, mayDecline: true, payload })
      .then((token) => comparison.job?.jobId === jobId && links.send(instance, { v, type: 'job', token, payload }))
      .catch(giveUp);
    return true;
  }

  /** A healthy host that has not said anything of the address yet. */
  #chooseAnother(said: readonly Said[]): Member | null {
    const { links, hosts, random } = this.#services;
    const heard = said.map(({ host }) => host);
    const members = eligible(links.members());
    const others = otherHosts(members, heard).filter((m) => !hosts.rate(m).avoided);
    return pick(others, (host) => hosts.rate(host), random);
  }

  /** Nobody is asked any more. */
  #release(comparison: Comparison): void {
    const { job } = comparison;
    comparison.cancelTimer();
    comparison.job = null;
    if (job !== null) this.#services.links.jobEnded(job.member.instance, job.jobId);
  }

  /** Counts what was said by two or three hosts. */
  #end(id: string, { said, provider, asked }: Comparison): void {
    if (!this.#underWay.delete(id) || said.length < 2) return;
    const compared = new Map(
      said.map(({ host, firm }): [string, Compared] => [host.host, { agreement: agreementOf(firm, said), firm }]),
    );
    this.#differences.record(provider ?? OTHERS, compared, asked.account);
    const answered = said.flatMap(({ host, answer }) => (answer === null ? [] : [{ host, answer }]));
    if (answered.length < 2) return;
    const { hosts } = this.#services;
    const believed = hosts.mailboxes.judge(answered, { ...asked, provider });
    if (believed === null || believed === 'denies') return;
    for (const { host, answer } of answered) if (answer === 'denies') hosts.contradicted(host, asked, true);
  }
}

function agreementOf(firm: Firm, said: readonly Said[]): Agreement {
  const like = said.filter((one) => one.firm === firm).length;
  if (like === said.length || like > 1) return 'agreed';
  // Alone against two who agree; otherwise nobody knows.
  return new Set(said.map((one) => one.firm)).size === 2 && said.length === 3 ? 'alone' : 'split';
}

/**
 * What every host that works must find. Deferrals, refusals of us and broken connections depend on who asks and when.
 * Whether a made-up mailbox was accepted too may be luck: the reply to the address itself is what counts. If a provider
 * accepts everybody, that reply tells nothing.
 */
export function firmOf(outcome: Outcome): Firm | null {
  if (outcome.kind === 'accepted' && outcome.madeUp.kind === 'provider_accepts_all') return null;
  if (outcome.kind === 'no_mail_domain' && !LOOKED_UP.has(outcome.why)) return null;
  return FIRM[outcome.kind] ?? null;
}

const FIRM: Readonly<Partial<Record<Outcome['kind'], Firm>>> = {
  accepted: 'accepts',
  no_such_mailbox: 'refuses',
  mx_hosts_missing: 'no_mail',
  no_mail_domain: 'no_mail',
};

/** What the DNS says to everybody. An implicit MX that is silent need not be silent to all. */
const LOOKED_UP: ReadonlySet<string> = new Set(['nxdomain', 'null_mx', 'no_records']);
