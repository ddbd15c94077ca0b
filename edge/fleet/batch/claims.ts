import { LINK_VERSION } from '../../../schema/link.ts';
import type { FleetJob } from '../../base/fleet-protocol.ts';
import type { HostLinks } from '../trust/services.ts';
import { claimant, type Member } from '../trust/roster.ts';
import { heldJob, type HeldJob, numberOf } from './job.ts';
import type { JobLeases } from './job-leases.ts';
import type { FleetLimits } from './limits.ts';

/** The job that a host may have of a batch from before this object was, as long as it is waited for that host to say so. */
export class Claims {
  readonly #batchId: string;
  readonly #links: HostLinks;
  #open: HeldJob | null;
  #until: number | null;

  constructor(job: FleetJob, { claimWaitMs }: FleetLimits, links: HostLinks, now: number) {
    this.#batchId = job.batchId;
    this.#links = links;
    this.#open = heldJob(job);
    this.#until = job.again === true ? now + claimWaitMs : null;
  }

  /** Until when only the host that says it has the job gets any of the batch; null: it is waited for nobody. */
  get until(): number | null {
    return this.#until;
  }

  /**
   * The job goes on with the host that says it has it.
   * @returns whether anything else may be given out: the job is claimed, or nobody is waited for any longer
   */
  settle(leases: JobLeases, now: number): boolean {
    if (this.#open === null) return true;
    const members = this.#links.members();
    const { book } = leases;
    const host = claimant(members, book.ids.of(this.#open.n));
    if (host !== null) leases.grant(book.resume(host, this.#open));
    for (const member of members) this.cancelStrays(member, leases);
    if (host === null && this.#until !== null && now < this.#until) return false;
    [this.#open, this.#until] = [null, null];
    return true;
  }

  /** Ends jobs of this batch that nobody here knows of: an earlier object gave them, or they were given to others since. */
  cancelStrays(member: Member, leases: JobLeases): void {
    const { ids } = leases.book;
    const ours = member.running.filter((id) => id.startsWith(`${this.#batchId}.`));
    ids.skip(ours.map(numberOf));
    for (const job of ours) {
      if ((this.#open !== null && job === ids.of(this.#open.n)) || leases.find(job, member.instance) !== null) continue;
      this.#links.send(member.instance, { v: LINK_VERSION, type: 'cancel', job });
      this.#links.jobEnded(member.instance, job);
    }
  }
}
