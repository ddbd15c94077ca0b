import { LINK_VERSION } from '../../../schema/link.ts';
import type { BatchIndex } from '../../base/indexes.ts';
import { COMPLAINTS } from '../trust/complaints.ts';
import type { HostRef, Member } from '../trust/host.ts';
import type { FleetServices } from './services.ts';
import { type Expiry, type Job, newJob, NUMBER_MAX, whyExpired } from './job.ts';
import type { FleetLimits } from './limits.ts';

const v = LINK_VERSION;

/** What the jobs of a batch have in common. */
export type Asked = {
  readonly batchId: string;
  /** Each as its JSON: 500 pairs of strings would take twice the memory. */
  readonly addresses: readonly string[];
  /** The clock's milliseconds. */
  readonly endsAt: number;
  /** The account's number. */
  readonly account: number;
  readonly limits: FleetLimits;
};
/** Why a job was taken from its host. */
export type Taken = Expiry | 'not_signed';

/**
 * The jobs of one batch that hosts have. A host has a job on a lease: until it must have acknowledged it, reported
 * something, or returned after its link broke.
 */
export class Jobs {
  readonly #asked: Asked;
  readonly #services: FleetServices;
  readonly #onTaken: (job: Job, why: Taken) => void;
  readonly #jobs = new Map<string, Job>();
  readonly #hosts = new Set<string>();
  #given = 0;

  /** @param onTaken a job was taken from its host, with the addresses not reported yet */
  constructor(asked: Asked, services: FleetServices, onTaken: (job: Job, why: Taken) => void) {
    this.#asked = asked;
    this.#services = services;
    this.#onTaken = onTaken;
  }

  get isEmpty(): boolean {
    return this.#jobs.size === 0;
  }

  /** Those that hosts have. */
  get all(): Iterable<Job> {
    return this.#jobs.values();
  }

  /** No more jobs can be given: each id is used once. */
  get isUsedUp(): boolean {
    return this.#given >= NUMBER_MAX;
  }

  get figures(): { readonly hosts: readonly string[]; readonly jobs: number } {
    return { hosts: [...this.#hosts], jobs: this.#given };
  }

  /** The job of this id, if that process has it. */
  find(jobId: string, instance: string): Job | null {
    const job = this.#jobs.get(jobId);
    return job?.to.instance === instance ? job : null;
  }

  /** Gives addresses to a host under a new job. */
  give(to: HostRef, indexes: readonly BatchIndex[]): void {
    const { batchId, limits } = this.#asked;
    this.#given += 1;
    this.#hosts.add(to.host);
    const now = this.#services.clock.now();
    const [ackBy, reportBy] = [now + limits.ackMs, now + limits.reportMs];
    const job = newJob({ jobId: `${batchId}.${this.#given}`, to, indexes, ackBy, reportBy });
    this.#jobs.set(job.jobId, job);
    this.#services.hosts.jobBegan(to, job.jobId, indexes.length);
    this.#send(job);
  }

  /** The host reported something about a job. */
  renew(job: Job): void {
    job.ackBy = null;
    job.reportBy = this.#services.clock.now() + this.#asked.limits.reportMs;
  }

  /** The host has nothing more to report about a job. */
  close({ jobId, to }: Job): void {
    this.#jobs.delete(jobId);
    this.#services.hosts.jobEnded(to, jobId);
  }

  /** The link of a process broke, or (`forGood`) was closed. */
  linkBroke(instance: string, forGood: boolean): void {
    for (const job of this.#of(instance)) {
      if (forGood) this.#take(job, 'gone');
      else job.backBy ??= this.#services.clock.now() + this.#asked.limits.resumeMs;
    }
  }

  /** A process said hello, and which jobs it is running: it continues its jobs, or gets them again. */
  linkBack({ instance }: Member, running: readonly string[]): void {
    for (const job of this.#of(instance)) {
      job.backBy = null;
      // A host that names a job has it, even if its acknowledgement was lost with the link.
      this.renew(job);
      if (running.includes(job.jobId)) continue;
      job.ackBy = this.#services.clock.now() + this.#asked.limits.ackMs;
      job.rows.fill(0);
      this.#send(job);
    }
  }

  /** Takes jobs from hosts whose leases have expired. */
  expire(now: number): void {
    for (const job of this.#jobs.values()) {
      const why = whyExpired(job, now);
      if (why !== null) this.#take(job, why);
    }
  }

  /** When the next leases may expire. */
  get dues(): readonly (number | null)[] {
    return [...this.#jobs.values()].flatMap(({ ackBy, reportBy, backBy }) => [ackBy, reportBy, backBy]);
  }

  /** None of its answers are wanted any more. */
  end(): void {
    for (const job of this.#jobs.values()) {
      // A host that has reported everything ends the job by itself.
      if (job.open.size > 0) this.#cancel(job);
      this.close(job);
    }
  }

  #of(instance: string): readonly Job[] {
    return [...this.#jobs.values()].filter(({ to }) => to.instance === instance);
  }

  #send(job: Job): void {
    const { clock, hosts, signJob, log } = this.#services;
    const { addresses, endsAt, account } = this.#asked;
    const { jobId, to } = job;
    const payload = `{"addresses":[${job.indexes.map((index) => addresses[index]).join(',')}]}`;
    const remainingMs = Math.max(0, Math.round(endsAt - clock.now()));
    const isOpen = (): boolean => this.#jobs.get(jobId) === job;
    const sent = signJob({ jobId, to, remainingMs, account, payload }).then(
      (token) => isOpen() && hosts.send(to.instance, { v, type: 'job', token, payload }),
    );
    sent.catch((error: unknown) => {
      log('error', 'job_not_signed', { error: error instanceof Error ? error.name : typeof error });
      if (isOpen()) this.#take(job, 'not_signed');
    });
  }

  /** The unreported addresses go to other hosts. */
  #take(job: Job, why: Taken): void {
    const { hosts, log } = this.#services;
    log('warn', 'job_lost', { host: job.to.host, why, missing: job.open.size });
    if (why !== 'not_signed') hosts.failed(job.to, COMPLAINTS.unanswered);
    this.#cancel(job);
    this.close(job);
    this.#onTaken(job, why);
  }

  #cancel({ to, jobId }: Job): void {
    this.#services.hosts.send(to.instance, { v, type: 'cancel', job: jobId });
  }
}
