import type { JobFrame } from '../../../schema/link.ts';
import type { FleetJob } from '../../base/fleet-protocol.ts';
import { isUnprobed, wasGreeted } from '../../../schema/outcomes.ts';
import { COMPLAINTS } from '../trust/complaints.ts';
import { eligible, type HostRef, type Hosts, type Member } from '../trust/host.ts';
import { receiverOf } from '../trust/receiver.ts';
import type { Heard } from '../trust/rules.ts';
import { Addresses, type Assignment, type Final } from './addresses.ts';
import { BatchAnswer, type Cause, type Sink } from './batch-answer.ts';
import { type BatchOutcome, outcomeAfter } from './batch-outcome.ts';
import { DueTimer } from './due-timer.ts';
import { inBatch, type Job } from './job.ts';
import { renumber } from './job-rows.ts';
import { type Asked, Jobs } from './jobs.ts';
import type { BatchEvents, FleetServices } from './services.ts';
import type { Spread } from './spread.ts';

/**
 * One batch in progress: gives its addresses to hosts (`Addresses` says to which), monitors their jobs (`Jobs`) and
 * writes what they find.
 *
 * An object has hundreds of them, so it keeps only what it must: the addresses, and evidence only while another host
 * may learn more. MX pass through it to the Worker, and what was written is left to the Worker.
 */
export class FleetBatch {
  readonly #account: string;
  readonly #asked: Asked;
  readonly #services: FleetServices;
  readonly #events: BatchEvents;
  readonly #onEnd: () => void;
  readonly #answer: BatchAnswer;
  readonly #timer: DueTimer;
  readonly #addresses: Addresses;
  readonly #jobs: Jobs;
  readonly #spread: Spread;
  #outcome: BatchOutcome = 'no_host';
  /** How long addresses that no host can take wait for one. */
  #hostBy: number | null = null;
  /** When a host may have been silent about a domain for too long. */
  #doubtAt = Infinity;
  /** Evidence that cannot be used. */
  #dropped = 0;
  #isOver = false;

  /**
   * @param onEnd called once, when the batch needs nothing more
   * @param heard what was reported before about its one address, if it compares hosts; null: it does not
   */
  constructor(
    job: FleetJob,
    sink: Sink,
    services: FleetServices,
    events: BatchEvents,
    onEnd: () => void,
    heard: readonly Heard[] | null = null,
  ) {
    const { clock, accountNumber, hosts, lotOf, random } = services;
    const account = accountNumber(job.account);
    this.#account = job.account;
    this.#services = services;
    this.#events = events;
    this.#onEnd = onEnd;
    this.#answer = new BatchAnswer(sink);
    this.#timer = new DueTimer(clock, () => {
      this.#jobs.expire(clock.now());
      this.advance();
    });
    this.#asked = {
      batchId: job.batchId,
      addresses: job.addresses.map((address) => JSON.stringify(address)),
      endsAt: clock.now() + job.remainingMs,
      account,
      limits: services.limits(),
    };
    this.#addresses = new Addresses(job.addresses, heard);
    this.#spread = {
      // Not the number that hosts know: it changes when the object starts.
      lot: (domain, host) => lotOf(receiverOf(job.account), domain, host),
      assignedTo: (host) => hosts.assignedTo(host),
      random,
    };
    this.#jobs = new Jobs(this.#asked, services, (taken, why) => {
      this.#came(why === 'not_signed' ? why : 'unanswered');
      this.#takeBack(taken, true);
      this.advance();
    });
  }

  /** A host that joins is of use. */
  get seeks(): boolean {
    return !this.#isOver && this.#addresses.seeks;
  }

  /** Bytes written that the Worker has not taken yet. */
  get unread(): number {
    return this.#answer.unread;
  }

  /** Starts the batch, and continues it after every change of the roster. */
  advance(): void {
    if (this.#isOver) return;
    const { endsAt, limits } = this.#asked;
    const now = this.#services.clock.now();
    if (now >= endsAt) return this.#end('deadline');
    if (now >= this.#doubtAt && endsAt - now >= limits.secondTryMs) this.#doubt(now);
    const hosts = this.#hosts();
    if (endsAt - now <= limits.releaseMs) this.#write(this.#addresses.release(hosts));
    const isLate = endsAt - now < limits.secondTryMs || this.#jobs.isUsedUp;
    const { final, assignments } = this.#addresses.plan(hosts, limits.lanes, isLate, this.#spread);
    this.#write(final);
    if (!this.#jobs.isUsedUp) for (const assignment of assignments) this.#give(assignment);
    if (this.#addresses.isComplete) return this.#end('done');
    if (this.#isDeserted(now)) return this.#end('no_host');
    this.#timer.set([endsAt, endsAt - limits.releaseMs, this.#hostBy, this.#doubtAt, ...this.#jobs.dues], now);
  }

  /** The answer is no longer wanted. A caller that waited to the end had its outcome, and there may be none. */
  letGo(): void {
    const { endsAt, limits } = this.#asked;
    if (!this.#isOver && endsAt - this.#services.clock.now() <= limits.releaseMs) this.#events.ended(this.#outcome);
    this.#stop();
  }

  has(jobId: string, instance: string): boolean {
    return !this.#isOver && this.#jobs.find(jobId, instance) !== null;
  }

  /** A host reported something about a job of this batch. */
  hear(from: string, frame: JobFrame): void {
    const job = this.#isOver ? null : this.#jobs.find(frame.job, from);
    if (job === null) return;
    this.#jobs.renew(job);
    switch (frame.type) {
      case 'ack':
      case 'alive':
        return;
      case 'evidence':
        this.#hearEvidence(job, frame);
        break;
      case 'done':
        if (job.open.size === job.indexes.length) this.#services.hosts.failed(job.to, COMPLAINTS.unanswered);
        this.#jobs.close(job);
        this.#takeBack(job, true);
        break;
      case 'refuse':
        this.#services.log('warn', 'job_refused', { host: job.to.host, why: frame.why });
        // Being full, for this account or for all, is no fault of the host, and customers may provoke it.
        if (frame.why !== 'busy') this.#services.hosts.failed(job.to, COMPLAINTS.refuses(frame.why));
        this.#came(`refused_${frame.why}`);
        this.#jobs.close(job);
        this.#takeBack(job, false);
        break;
    }
    this.advance();
  }

  /** The link of a process broke, or (`forGood`) was closed. */
  hostGone(instance: string, forGood: boolean): void {
    if (this.#isOver) return;
    this.#jobs.linkBroke(instance, forGood);
    this.advance();
  }

  /** A process said hello, and which jobs it is running. */
  hostBack(member: Member, running: readonly string[]): void {
    if (this.#isOver) return;
    this.#jobs.linkBack(member, running);
    this.advance();
  }

  #hosts(): Hosts {
    const { hosts } = this.#services;
    const [works, isAvoided] = [(h: HostRef) => hosts.works(h), (h: HostRef) => hosts.isAvoided(h)];
    const all = eligible(hosts.members());
    const members = all.filter((member) => !hosts.isLeftOut(member, this.#account));
    return { members: members.length > 0 ? members : all, works, isAvoided };
  }

  #give({ to, indexes }: Assignment): void {
    const now = this.#services.clock.now();
    this.#doubtAt = Math.min(this.#doubtAt, this.#dueAt(now));
    this.#addresses.give(indexes, now);
    this.#jobs.give(to, indexes);
  }

  /** Addresses of domains that a host was silent about for too long may be given to another one too. */
  #doubt(now: number): void {
    const dueAt = (movedAtMs: number): number => this.#dueAt(movedAtMs);
    this.#doubtAt = Math.min(...[...this.#jobs.all].map((job) => this.#addresses.doubt(job, now, dueAt)));
    this.#came('unanswered');
  }

  #dueAt(movedAtMs: number): number {
    const { endsAt, limits } = this.#asked;
    return movedAtMs + Math.min(limits.resultMs, (endsAt - movedAtMs) / 2);
  }

  /** MX rows are passed on at once, under numbers that no two jobs share; evidence once it is final. */
  #hearEvidence(job: Job, frame: Extract<JobFrame, { type: 'evidence' }>): void {
    const { hosts } = this.#services;
    const { rows, reported, dropped } = renumber(job, frame);
    this.#dropped += dropped;
    this.#answer.writeRows(rows);
    for (const { index: inJob, evidence, isImplicit } of reported) {
      const index = inBatch(job, inJob);
      if (index === null || !job.open.delete(inJob)) continue;
      job.doubted.delete(index);
      this.#addresses.hear(index, { from: job.to, evidence, isImplicit }, this.#services.clock.now());
      this.#came(isUnprobed(evidence.outcome) ? 'unprobed' : 'served');
      if (wasGreeted(evidence.outcome)) hosts.reached(job.to);
    }
    if (job.open.size > 0) return;
    hosts.succeeded(job.to);
    this.#jobs.close(job);
  }

  /** The host no longer has what it has not reported. */
  #takeBack(job: Job, isLost: boolean): void {
    for (const inJob of job.open) {
      const index = inBatch(job, inJob);
      if (index !== null && !job.doubted.has(index)) this.#addresses.takeBack(index, job.to, isLost);
    }
  }

  #write(final: readonly Final[]): void {
    this.#answer.writeEvidence(final);
    const { addresses } = this.#asked;
    for (const one of final)
      this.#events.settled({ ...one, account: this.#account, address: addresses[one.index] ?? '' });
    for (const { doubted, to } of this.#jobs.all) {
      // A slow receiver is slow for every host: only a server that answered another one tells.
      const answered = final.filter(({ index, evidence }) => doubted.has(index) && wasGreeted(evidence.outcome));
      const zones = new Map(answered.map(({ receiver }) => [receiver.zone, receiver]));
      for (const receiver of zones.values())
        this.#services.hosts.outdone(to, receiver, this.#account, this.#asked.limits.resultMs);
    }
  }

  #came(next: BatchOutcome): void {
    this.#outcome = outcomeAfter(this.#outcome, next);
  }

  #isDeserted(now: number): boolean {
    if (!this.#jobs.isEmpty) {
      this.#hostBy = null;
      return false;
    }
    this.#hostBy ??= now + this.#asked.limits.hostWaitMs;
    return this.#addresses.isGivenUp || this.#jobs.isUsedUp || now >= this.#hostBy;
  }

  #end(cause: Cause): void {
    this.#write(this.#addresses.release(this.#hosts()));
    this.#answer.writeEnd({ cause: this.#addresses.isComplete ? 'done' : cause, ...this.#jobs.figures });
    this.#events.ended(this.#outcome);
    this.#stop();
    this.#answer.end();
  }

  #stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#timer.cancel();
    this.#jobs.end();
    if (this.#dropped > 0) this.#services.log('warn', 'evidence_dropped', { count: this.#dropped });
    this.#onEnd();
  }
}
