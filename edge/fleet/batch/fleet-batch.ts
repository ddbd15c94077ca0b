import type { JobFrame } from '../../../schema/link.ts';
import type { FleetJob } from '../../base/fleet-protocol.ts';
import { eligible, type Member } from '../trust/roster.ts';
import { BatchAddresses } from './batch-addresses.ts';
import { BatchAnswer, type Cause, type Sink } from './batch-answer.ts';
import { BatchBook } from './batch-book.ts';
import type { BatchServices } from './batch-services.ts';
import { BatchTimeline } from './batch-timeline.ts';
import { Claims } from './claims.ts';
import { DueTimer } from './due-timer.ts';
import { type Assignment, heldJob, numberOf, WHOLE } from './job.ts';
import { type Leased, JobLeases } from './job-leases.ts';
import { JobReports } from './job-reports.ts';

/**
 * One batch under way: gives its addresses to hosts (`BatchBook` says which to whom), watches over their jobs
 * (`JobLeases`) and writes what they find (`JobReports`).
 *
 * An object has hundreds of them, so it keeps what it must: the addresses as bytes, and evidence only while another host
 * may learn more. MX go through it to the Worker, and what was written is the Worker's; for a stream that broke, the
 * hosts are asked for theirs again.
 */
export class FleetBatch {
  readonly #batch: Leased;
  readonly #services: BatchServices;
  readonly #onEnd: () => void;
  readonly #answer: BatchAnswer;
  readonly #reports: JobReports;
  readonly #timer: DueTimer;
  readonly #claims: Claims;
  #leases: JobLeases;
  /** How long addresses that nobody can take wait for a host. */
  #hostBy: number | null = null;
  #over = false;

  /** @param onEnd called once, when the batch needs nothing more */
  constructor(job: FleetJob, sink: Sink, services: BatchServices, onEnd: () => void) {
    const { clock, accountNumber } = services;
    const now = clock.now();
    const limits = services.limits();
    this.#services = services;
    this.#onEnd = onEnd;
    this.#answer = new BatchAnswer(sink);
    this.#timer = new DueTimer(clock, () => {
      this.#leases.expire(clock.now());
      this.advance();
    });
    this.#batch = {
      addresses: new BatchAddresses(job.addresses),
      endsAt: now + job.remainingMs,
      account: accountNumber(job.account),
      limits,
      timeline: new BatchTimeline(job, now),
    };
    this.#reports = new JobReports(this.#batch, this.#answer, services);
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
      const members = eligible(this.#services.links.members());
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
   * the Worker says it knows. The host of the last job says again what it found; what others had is asked for anew.
   * @throws Error for other addresses
   */
  attach(job: FleetJob, sink: Sink): void {
    if (!this.#batch.addresses.isSame(job.addresses)) throw new Error('Batch id used twice');
    this.#answer.moveTo(sink);
    const { last } = this.#leases.book.ids;
    const held = heldJob(job);
    const host = this.#leases.handOver(held);
    this.#leases = this.#open(job);
    const { book } = this.#leases;
    book.ids.skip([last]);
    if (host !== null) this.#leases.grant(book.resume(host, held));
    this.advance();
  }

  /** The Worker let go of a stream: if it is the current one, nobody waits for the batch any more. */
  letGo(sink: Sink): void {
    if (this.#answer.isOn(sink)) this.#stop(null);
  }

  /** A host said something about a job of this batch. @returns how much of it was new: addresses, or one for all else */
  hear(from: string, frame: JobFrame): number {
    const granted = this.#over ? null : this.#leases.find(frame.job, from);
    if (granted === null) return 0;
    const news = this.#reports.hear(this.#leases, granted, frame);
    if (frame.type !== 'ack' && frame.type !== 'alive') this.advance();
    return news;
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

  /** Sends a job. The Worker is told of a part first, so that it can name it if this object is reset. */
  #give({ to, indexes, isFirst }: Assignment, members: readonly Member[]): void {
    const job = this.#leases.book.assign(to, indexes, members);
    const n = numberOf(job.jobId);
    if (isFirst && n !== WHOLE) this.#answer.writePart({ n, indexes: [...indexes] });
    this.#leases.grant(job, isFirst);
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
  #open(job: FleetJob): JobLeases {
    const { limits, account } = this.#batch;
    const { hosts, lotOf } = this.#services;
    const book = new BatchBook(job, limits, hosts, (domain, host) => lotOf(account, domain, host));
    return new JobLeases(book, this.#batch, this.#services, () => this.advance());
  }

  #end(cause: Cause): void {
    const { book } = this.#leases;
    this.#answer.writeEvidence(book.release());
    const how = book.complete ? 'done' : cause;
    this.#answer.writeEnd(how);
    this.#services.ended?.(this.#batch.timeline.outcome);
    this.#stop(how);
    this.#answer.end();
  }

  #stop(cause: Cause | null): void {
    if (this.#over) return;
    this.#over = true;
    this.#timer.cancel();
    this.#leases.end();
    const { noted, clock, log } = this.#services;
    noted?.(this.#batch.timeline.report(cause, clock.now()));
    if (this.#reports.dropped > 0) log('warn', 'evidence_dropped', { count: this.#reports.dropped });
    this.#onEnd();
  }
}
