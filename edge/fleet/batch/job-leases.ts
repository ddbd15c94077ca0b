import { LINK_VERSION } from '../../../schema/link.ts';
import type { HostRef, Member } from '../trust/roster.ts';
import type { FleetServices } from '../trust/services.ts';
import type { BatchAddresses } from './batch-addresses.ts';
import type { BatchBook } from './batch-book.ts';
import type { BatchTimeline } from './batch-timeline.ts';
import type { HeldJob, Job } from './job.ts';
import { ROWS_MAX } from './job-rows.ts';
import { type Expiry, type Lease, whyExpired } from './lease.ts';
import type { FleetLimits } from './limits.ts';

const v = LINK_VERSION;

/** What a batch's jobs have in common. */
export type Leased = {
  readonly addresses: BatchAddresses;
  /** The clock's milliseconds. */
  readonly endsAt: number;
  /** The account's number. */
  readonly account: number;
  readonly limits: FleetLimits;
  readonly timeline: BatchTimeline;
};

/** A job that a host has, and until when. */
export type GrantedJob = { readonly job: Job; readonly lease: Lease };
/** Why a job is taken from its host. `withdrawn`: another host will do better, and nothing was lost. */
type Taken = Expiry | 'not_signed' | 'withdrawn';

/**
 * The jobs of one book that are with hosts. A host has a job on a lease: until it must have acknowledged it, said
 * something of it, or come back after its link broke.
 */
export class JobLeases {
  readonly book: BatchBook;
  readonly #batch: Leased;
  readonly #services: FleetServices;
  readonly #onUnsigned: () => void;
  readonly #leases = new Map<Job, Lease>();
  /** Who was given which job, and did not lose it or give it back: it may be asked to say again what it found. */
  readonly #holders = new Map<string, HostRef>();

  /** @param onUnsigned called when a job could not be signed, after it was taken from its host */
  constructor(book: BatchBook, batch: Leased, services: FleetServices, onUnsigned: () => void) {
    this.book = book;
    this.#batch = batch;
    this.#services = services;
    this.#onUnsigned = onUnsigned;
  }

  get isEmpty(): boolean {
    return this.#leases.size === 0;
  }

  /** The job of this id, if that process has it. */
  find(jobId: string, instance: string): GrantedJob | null {
    const job = this.book.jobs.get(jobId);
    const lease = job === undefined ? undefined : this.#leases.get(job);
    return job === undefined || lease === undefined || job.to.instance !== instance ? null : { job, lease };
  }

  /** Sends a job to its host, for the first time or again. @param isFirst of its addresses no host has said anything */
  grant(job: Job, isFirst = true): void {
    const { clock, links, hosts, signJob, log } = this.#services;
    const { addresses, endsAt, account, limits, timeline } = this.#batch;
    const now = clock.now();
    const { jobId, to, mayDecline } = job;
    timeline.began(job, now);
    this.#leases.set(job, {
      ackBy: now + limits.ackMs,
      reportBy: now + limits.reportMs,
      backBy: null,
      rows: new Uint8Array(ROWS_MAX),
    });
    this.#holders.set(jobId, to);
    links.jobBegan(to.instance, jobId, job.indexes.length);
    hosts.assigned(to, job.indexes.length, isFirst);
    const payload = addresses.payload(job.indexes);
    const remainingMs = Math.max(0, Math.round(endsAt - now));
    const sent = signJob({ jobId, to, remainingMs, account, mayDecline, payload }).then(
      (token) => this.#leases.has(job) && links.send(to.instance, { v, type: 'job', token, payload }),
    );
    sent.catch((error: unknown) => {
      log('error', 'job_not_signed', { error: error instanceof Error ? error.name : typeof error });
      if (this.#leases.has(job)) this.take(job, 'not_signed');
      this.#onUnsigned();
    });
  }

  /** The host said something about a job. @returns whether that was its first answer */
  renew(job: Job, lease: Lease, isRefusal: boolean): boolean {
    const { to } = job;
    const isAnswer = lease.ackBy !== null;
    if (isAnswer && !isRefusal) this.#services.hosts.answered(to, null);
    const now = this.#services.clock.now();
    if (isAnswer) this.#batch.timeline.answered(job, now);
    lease.ackBy = null;
    lease.reportBy = now + this.#batch.limits.reportMs;
    return isAnswer;
  }

  /** The host has no more to say about a job. @param lost whether that counts as a job lost @param end how, as an operator reads it */
  close(job: Job, lost: boolean, end = 'done'): void {
    this.#batch.timeline.ended(job, end, this.#services.clock.now());
    this.#leases.delete(job);
    if (end !== 'done') this.#holders.delete(job.jobId);
    this.book.close(job, lost);
    this.#services.links.jobEnded(job.to.instance, job.jobId);
  }

  /** What the host has not reported goes to other hosts. */
  take(job: Job, why: Taken): void {
    const { hosts, log } = this.#services;
    const { host } = job.to;
    const missing = job.open.size;
    if (why === 'withdrawn') log('info', 'job_withdrawn', { host, missing });
    else {
      if (why !== 'not_signed') hosts.lost(job.to, why !== 'gone');
      log('warn', 'job_lost', { host, why, missing });
      this.#batch.timeline.came(why === 'not_signed' ? why : 'unanswered');
    }
    this.#cancel(job);
    this.close(job, why !== 'withdrawn', why);
  }

  /** Ends all jobs but this one. @returns its host, if that can say again what it found */
  handOver({ n }: HeldJob): HostRef | null {
    const held = this.book.ids.of(n);
    for (const job of this.book.jobs.values()) {
      if (job.jobId !== held) this.#cancel(job);
      this.close(job, false);
    }
    return this.#holders.get(held) ?? null;
  }

  /** The link of a process broke, or (`forGood`) was ended. */
  linkBroke(instance: string, forGood: boolean): void {
    for (const [job, lease] of this.#leases) {
      if (job.to.instance !== instance) continue;
      if (forGood) this.take(job, 'gone');
      else lease.backBy ??= this.#services.clock.now() + this.#batch.limits.resumeMs;
    }
  }

  /** A process said hello: it goes on with its jobs, or gets them again. */
  linkBack(member: Member): void {
    for (const [job, lease] of this.#leases) {
      if (job.to.instance !== member.instance) continue;
      if (!member.running.includes(job.jobId)) {
        this.grant(job);
        continue;
      }
      // A host that names a job has it, even if its acknowledgement was lost with the link.
      lease.backBy = null;
      this.renew(job, lease, false);
    }
  }

  /** Takes jobs from hosts that did not keep to their leases. */
  expire(now: number): void {
    for (const [job, lease] of this.#leases) {
      const why = whyExpired(lease, now);
      if (why !== null) this.take(job, why);
    }
  }

  /** When the next of it may expire. */
  get dues(): readonly (number | null)[] {
    return [...this.#leases.values()].flatMap(({ ackBy, reportBy, backBy }) => [ackBy, reportBy, backBy]);
  }

  /** Nobody waits for any of it any more. */
  end(): void {
    for (const job of this.book.jobs.values()) {
      // A host that has reported everything is at its end anyway.
      if (job.open.size > 0) this.#cancel(job);
      this.#services.links.jobEnded(job.to.instance, job.jobId);
    }
    this.#leases.clear();
  }

  #cancel({ to, jobId }: Job): void {
    this.#services.links.send(to.instance, { v, type: 'cancel', job: jobId });
  }
}
