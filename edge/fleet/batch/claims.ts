import { LINK_VERSION } from '../../../schema/link.ts';
import type { FleetJob } from '../../base/fleet-protocol.ts';
import type { HostLinks } from '../trust/services.ts';
import { claimant, type Member } from '../trust/roster.ts';
import { type HeldPart, heldParts } from './held-parts.ts';
import { numberOf } from './job.ts';
import type { JobLeases } from './job-leases.ts';
import type { FleetLimits } from './limits.ts';

/** What hosts may have of a batch from before this object was, as long as it waits for them to say so. */
export class Claims {
  readonly #batchId: string;
  readonly #links: HostLinks;
  #open: readonly HeldPart[];
  #until: number | null;

  constructor(job: FleetJob, { lanes, claimWaitMs }: FleetLimits, links: HostLinks, now: number) {
    this.#batchId = job.batchId;
    this.#links = links;
    this.#open = heldParts(job, lanes);
    this.#until = job.again === true ? now + claimWaitMs : null;
  }

  /** Until when only the hosts that say they have parts of the batch get any of it; null: it is waited for nobody. */
  get until(): number | null {
    return this.#until;
  }

  /**
   * Parts go on with the hosts that say they have them.
   * @returns whether anything else may be given out: all parts are claimed, or nobody is waited for any longer
   */
  settle(leases: JobLeases, now: number): boolean {
    if (this.#open.length === 0) return true;
    const members = this.#links.members();
    const { book } = leases;
    const claimed = this.#open.flatMap((part) => {
      const host = claimant(members, book.ids.of(part.n));
      return host === null ? [] : [{ part, host }];
    });
    for (const { part, host } of claimed) leases.grant(book.resume(host, part));
    this.#open = this.#open.filter((part) => !claimed.some((one) => one.part === part));
    for (const member of members) this.cancelStrays(member, leases);
    if (this.#open.length > 0 && this.#until !== null && now < this.#until) return false;
    [this.#open, this.#until] = [[], null];
    return true;
  }

  /** Ends jobs of this batch that nobody here knows of: an earlier object gave them, or they were given to others since. */
  cancelStrays(member: Member, leases: JobLeases): void {
    const { ids } = leases.book;
    const ours = member.running.filter((id) => id.startsWith(`${this.#batchId}.`));
    ids.skip(ours.map(numberOf));
    for (const job of ours) {
      if (this.#open.some(({ n }) => ids.of(n) === job) || leases.find(job, member.instance) !== null) continue;
      this.#links.send(member.instance, { v: LINK_VERSION, type: 'cancel', job });
      this.#links.jobEnded(member.instance, job);
    }
  }
}
