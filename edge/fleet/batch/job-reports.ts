import type { JobFrame } from '../../../schema/link.ts';
import { eligible } from '../trust/roster.ts';
import type { BatchAnswer } from './batch-answer.ts';
import type { Final } from './batch-book.ts';
import type { BatchServices } from './batch-services.ts';
import type { Job } from './job.ts';
import type { GrantedJob, JobLeases, Leased } from './job-leases.ts';
import { renumber } from './job-rows.ts';

type EvidenceFrame = Extract<JobFrame, { type: 'evidence' }>;

/** What hosts say of the jobs of one batch, and what is written of it. */
export class JobReports {
  readonly #batch: Leased;
  readonly #answer: BatchAnswer;
  readonly #services: BatchServices;
  #dropped = 0;

  constructor(batch: Leased, answer: BatchAnswer, services: BatchServices) {
    this.#batch = batch;
    this.#answer = answer;
    this.#services = services;
  }

  /** Evidence that cannot be used. */
  get dropped(): number {
    return this.#dropped;
  }

  /** @returns how much of it was new: addresses, or one for all else */
  hear(leases: JobLeases, { job, lease }: GrantedJob, frame: JobFrame): number {
    const isAnswer = leases.renew(job, lease, frame.type === 'refuse');
    switch (frame.type) {
      case 'ack':
      case 'alive':
        return Number(isAnswer);
      case 'evidence': {
        const missing = job.open.size;
        this.#hearEvidence(leases, { job, lease }, frame);
        return Math.max(Number(isAnswer), missing - job.open.size);
      }
      case 'done':
        leases.close(job, job.open.size > 0);
        return 1;
      case 'refuse':
        this.#services.log('warn', 'job_refused', { host: job.to.host, why: frame.why });
        // Full, for this account or for all, is no fault of the host's, and nothing that a customer may bring about.
        this.#services.hosts.answered(job.to, frame.why === 'busy' ? null : frame.why);
        this.#batch.timeline.came(`refused_${frame.why}`);
        leases.close(job, false, `refused_${frame.why}`);
        return 1;
    }
  }

  /** MX rows go on at once, under numbers that no two jobs share; evidence when it is final. */
  #hearEvidence(leases: JobLeases, { job, lease }: GrantedJob, frame: EvidenceFrame): void {
    const { book } = leases;
    const { rows, reported, dropped } = renumber(job, frame, lease.rows);
    this.#dropped += dropped;
    this.#answer.writeRows(rows);
    const final = book.hear(job, reported);
    const isServed = reported.some(({ evidence: { outcome } }) => outcome.kind !== 'unprobed');
    this.#batch.timeline.came(isServed ? 'served' : 'unprobed');
    this.#answer.writeEvidence(final);
    const own = new Set(reported.map(({ evidence }) => evidence));
    this.#offer(
      leases,
      job,
      final.filter(([, evidence]) => own.has(evidence)),
    );
    if (job.open.size === 0) leases.close(job, false);
    else if (book.seconds.isFutile(job, eligible(this.#services.links.members()))) leases.take(job, 'withdrawn');
  }

  /** What this host found out, and nobody has to find out any more, may be compared. */
  #offer({ book }: JobLeases, { to }: Job, final: readonly Final[]): void {
    const { addresses } = this.#batch;
    for (const [index, evidence] of final) {
      const payload = (): string => addresses.payload([index]);
      this.#services.compare?.({ from: to, evidence, asked: book.opinions.asked(index), payload });
    }
  }
}
