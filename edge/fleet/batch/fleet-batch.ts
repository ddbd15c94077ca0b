import type { BatchReport } from '../../../schema/batch-report.ts';
import type { JobFigures } from '../../../schema/job-figures.ts';
import type { ToEdge } from '../../../schema/link.ts';
import type { FleetJob } from '../../base/fleet-protocol.ts';
import type { Offer } from '../trust/comparisons.ts';
import { eligible, type Member } from '../trust/roster.ts';
import type { FleetServices } from '../trust/services.ts';
import { BatchAddresses } from './batch-addresses.ts';
import { BatchAnswer, type Cause, type Sink } from './batch-answer.ts';
import { BatchBook, type Final } from './batch-book.ts';
import { BatchTimeline } from './batch-timeline.ts';
import { type BatchOutcome, outcomeAfter } from './batch-outcome.ts';
import { Claims } from './claims.ts';
import { DueTimer } from './due-timer.ts';
import { heldParts } from './held-parts.ts';
import { type Job, numberOf, WHOLE } from './job.ts';
import { type Leased, JobLeases } from './job-leases.ts';
import { renumber } from './job-rows.ts';
import type { Lease } from './lease.ts';
import type { FleetLimits } from './limits.ts';
import type { Assignment } from './plan.ts';

type JobFrame = Exclude<Extract<ToEdge, { job: string }>, { type: 'figures' }>;
type EvidenceFrame = Extract<ToEdge, { type: 'evidence' }>;

export type BatchServices = FleetServices & {
  readonly limits: () => FleetLimits;
  /** Called with final evidence: some addresses are put to another host too, apart from the batch. */
  readonly compare?: (offer: Offer) => void;
  /** Called once with how a batch came out, unless its caller has gone. */
  readonly ended?: (outcome: BatchOutcome) => void;
  /** Called once with how it went, whoever it was for. */
  readonly noted?: (report: BatchReport) => void;
};

/**
 * One batch under way: gives its addresses to hosts, watches over their jobs and writes what they find.
 *
 * An object has hundreds of them, so it keeps what it must: the addresses as bytes, and evidence only while another host
 * may learn more. MX go through it to the Worker, and what was written is the Worker's; for a stream that broke, the
 * hosts are asked for theirs again.
 */
export class FleetBatch {
  /** As what speaks against a host is counted. */
  readonly #account: string;
  readonly #batch: Leased;
  readonly #services: BatchServices;
  readonly #onEnd: () => void;
  readonly #answer: BatchAnswer;
  readonly #timer: DueTimer;
  /** Whether the Worker knows of parts. */
  readonly #isDivisible: boolean;
  #leases: JobLeases;
  readonly #claims: Claims;
  /** How long addresses that nobody can take wait for a host. */
  #hostBy: number | null = null;
  /** What came of it so far. */
  #outcome: BatchOutcome = 'no_host';
  /** Evidence that cannot be used. */
  #dropped = 0;
  #over = false;

  /** @param onEnd called once, when the batch needs nothing more */
  constructor(job: FleetJob, sink: Sink, services: BatchServices, onEnd: () => void) {
    const { clock, accountNumber } = services;
    const now = clock.now();
    const limits = services.limits();
    this.#account = job.account ?? '';
    this.#services = services;
    this.#onEnd = onEnd;
    this.#answer = new BatchAnswer(sink);
    this.#timer = new DueTimer(clock, () => {
      this.#leases.expire(clock.now());
      this.advance();
    });
    const account = accountNumber(job.account ?? job.batchId);
    const addresses = new BatchAddresses(job.addresses);
    const { accountClass = 'free' } = job;
    const timeline = new BatchTimeline(job, now);
    this.#batch = { addresses, endsAt: now + job.remainingMs, account, accountClass, limits, timeline };
    this.#isDivisible = job.parts !== undefined;
    this.#claims = new Claims(job, limits, services.links, now);
    this.#leases = this.#open(job);
  }

  /** Addresses with no host, or that another host may learn more of: a host that joins is of use. */
  get seeks(): boolean {
    const { book } = this.#leases;
    return !this.#over && (this.#claims.until !== null || book.waiting || book.holding);
  }

  /** Bytes that the Worker has not taken yet of what was written. */
  get unread(): number {
    return this.#answer.unread;
  }

  /** Begins, and goes on after every change of the roster. */
  advance(): void {
    if (this.#over) return;
    const { book } = this.#leases;
    const { endsAt, limits } = this.#batch;
    const now = this.#services.clock.now();
    if (now >= endsAt) return this.#end('deadline');
    if (endsAt - now <= limits.releaseMs) this.#answer.writeEvidence(book.release());
    if (this.#claims.settle(this.#leases, now)) {
      const members = this.#eligible(now);
      const { assignments, final } = book.plan(members, endsAt - now, this.#services.random);
      this.#answer.writeEvidence(final);
      for (const assignment of assignments) this.#give(assignment, members);
    }
    if (book.complete) return this.#end('done');
    if (this.#isDeserted(now)) return this.#end('no_host');
    this.#timer.set([endsAt, endsAt - limits.releaseMs, this.#hostBy, this.#claims.until, ...this.#leases.dues], now);
  }

  /**
   * The Worker asked again while the batch is under way: the old stream breaks off, and the book begins anew with what
   * the Worker says it knows. The hosts of its parts say again what they found; what others had is asked for anew.
   * @throws Error for other addresses
   */
  attach(job: FleetJob, sink: Sink): void {
    if (!this.#batch.addresses.isSame(job.addresses)) throw new Error('Batch id used twice');
    this.#answer.moveTo(sink);
    const old = this.#leases;
    const { ids } = old.book;
    const held = heldParts(job, this.#batch.limits.lanes).flatMap((part) => {
      const host = old.holderOf(ids.of(part.n));
      return host === null ? [] : [{ part, host }];
    });
    for (const one of old.book.jobs) {
      if (!held.some(({ part }) => ids.of(part.n) === one.jobId)) old.cancel(one);
      old.close(one, false);
    }
    this.#leases = this.#open(job);
    const { book } = this.#leases;
    book.ids.skip([ids.last]);
    for (const { part, host } of held) this.#leases.grant(book.resume(host, part));
    this.advance();
  }

  /** The Worker let go of a stream: if it is the current one, nobody waits for the batch any more. */
  letGo(sink: Sink): void {
    if (this.#answer.isOn(sink)) this.#stop(null);
  }

  /** A host said something about a job of this batch. @returns how much of it was new: addresses, or one for all else */
  hear(from: string, frame: JobFrame): number {
    const leased = this.#over ? null : this.#leases.find(frame.job, from);
    if (leased === null) return 0;
    const { job, lease } = leased;
    const isAnswer = this.#leases.renew(job, lease, frame.type === 'refuse');
    switch (frame.type) {
      case 'ack':
      case 'alive':
        return Number(isAnswer);
      case 'evidence': {
        const missing = job.open.size;
        this.#hearEvidence(job, lease, frame);
        this.advance();
        return Math.max(Number(isAnswer), missing - job.open.size);
      }
      case 'done':
        this.#leases.close(job, job.open.size > 0);
        break;
      case 'refuse':
        this.#services.log('warn', 'job_refused', { host: job.to.host, why: frame.why });
        // Full, for this account or for all, is no fault of the host's, and nothing that a customer may bring about.
        this.#services.hosts.answered(job.to, frame.why === 'busy' ? null : frame.why);
        this.#came(`refused_${frame.why}`);
        this.#leases.close(job, false, `refused_${frame.why}`);
        break;
    }
    this.advance();
    return 1;
  }

  /** What was done for a job of this batch, which has ended. @returns whether that was news */
  figures(jobId: string, host: string, figures: JobFigures): boolean {
    return this.#batch.timeline.figures(jobId, host, figures);
  }

  /** The link of a process broke, or (`forGood`) was ended. */
  hostGone(instance: string, forGood: boolean): void {
    if (this.#over) return;
    this.#leases.linkBroke(instance, forGood);
    this.advance();
  }

  /** A process said hello: it goes on with its jobs, or gets them again. */
  hostBack(member: Member): void {
    if (this.#over) return;
    this.#leases.linkBack(member);
    this.#claims.cancelStrays(member, this.#leases);
    this.advance();
  }

  /** MX rows go on at once, under numbers that no two jobs share; evidence when it is final. */
  #hearEvidence(job: Job, lease: Lease, frame: EvidenceFrame): void {
    const { book } = this.#leases;
    const { rows, reported, dropped } = renumber(job, frame, lease.rows);
    this.#dropped += dropped;
    this.#answer.writeRows(rows);
    const final = book.hear(job, reported);
    this.#came(reported.some(({ evidence: { outcome } }) => outcome.kind !== 'unprobed') ? 'served' : 'unprobed');
    this.#answer.writeEvidence(final);
    this.#offer(job, final, new Set(reported.map(({ evidence }) => evidence)));
    if (job.open.size === 0) this.#leases.close(job, false);
    else if (book.seconds.isFutile(job, this.#eligible(this.#services.clock.now()))) this.#leases.withdraw(job);
  }

  /** What this host found out, and nobody has to find out any more, may be compared. */
  #offer({ to }: Job, final: readonly Final[], own: ReadonlySet<Final[1]>): void {
    const { accountClass } = this.#batch;
    for (const [index, evidence] of final) {
      const payload = (): string => this.#batch.addresses.payload([index]);
      const asked = this.#leases.book.opinions.asked(index);
      if (own.has(evidence)) this.#services.compare?.({ from: to, evidence, asked, accountClass, payload });
    }
  }

  /** Sends a job. The Worker is told of a part first, so that it can name it if this object is reset. */
  #give({ to, indexes, lanes, isFirst }: Assignment, members: readonly Member[]): void {
    const job = this.#leases.book.assign(to, indexes, members, lanes);
    const n = numberOf(job.jobId);
    if (isFirst && n !== WHOLE && this.#isDivisible) this.#answer.writePart({ n, indexes: [...indexes], lanes });
    this.#leases.grant(job, isFirst);
  }

  #eligible(now: number): readonly Member[] {
    return eligible(this.#services.links.members(), now, this.#batch.limits.silentAfterMs);
  }

  #isDeserted(now: number): boolean {
    if (!this.#leases.isEmpty || this.#claims.until !== null) {
      this.#hostBy = null;
      return false;
    }
    this.#hostBy ??= now + this.#batch.limits.hostWaitMs;
    return this.#leases.book.exhausted || now >= this.#hostBy;
  }

  /** A book of the batch, with what the Worker has already, and none of its jobs given out. */
  #open({ batchId, addresses, known = [], parts = [] }: FleetJob): JobLeases {
    const { limits, account } = this.#batch;
    const { hosts, lotOf } = this.#services;
    const opening = {
      batchId,
      domains: addresses.map(([, domain]) => domain),
      account: this.#account,
      known,
      isDivisible: this.#isDivisible,
      lot: (domain: number, host: string) => lotOf(account, domain, host),
    };
    const book = new BatchBook(opening, limits, hosts);
    book.ids.skip(parts.map(({ n }) => n));
    return new JobLeases(book, this.#batch, this.#services, () => this.advance());
  }

  #end(cause: Cause): void {
    const { book } = this.#leases;
    this.#answer.writeEvidence(book.release());
    this.#answer.writeEnd(book.complete ? 'done' : cause);
    if (this.#outcome === 'no_host' && this.#leases.lastLoss !== null)
      this.#came(this.#leases.lastLoss === 'not_signed' ? 'not_signed' : 'unanswered');
    this.#services.ended?.(this.#outcome);
    this.#stop(book.complete ? 'done' : cause);
    this.#answer.end();
  }

  #came(next: BatchOutcome): void {
    this.#outcome = outcomeAfter(this.#outcome, next);
  }

  #stop(cause: Cause | null): void {
    if (this.#over) return;
    this.#over = true;
    this.#timer.cancel();
    this.#leases.end();
    const { noted, clock } = this.#services;
    noted?.(this.#batch.timeline.report(this.#outcome, cause, clock.now()));
    if (this.#dropped > 0) this.#services.log('warn', 'evidence_dropped', { count: this.#dropped });
    this.#onEnd();
  }
}
