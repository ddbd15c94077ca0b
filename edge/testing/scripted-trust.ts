import type { Answer } from '../fleet/trust/answer.ts';
import type { AskedOf, Trust } from '../fleet/trust/host-record.ts';
import type { HostTrust } from '../fleet/trust/host-records.ts';
import type { HostRef, Rating } from '../fleet/trust/roster.ts';

/** Hosts that stand as the test says, all of them trusted if it says nothing; what a batch tells of them is noted. */
export class ScriptedTrust implements HostTrust {
  readonly told: string[] = [];
  readonly #trusts: Map<string, Trust>;
  readonly #ratings: Readonly<Record<string, Partial<Rating>>>;
  samples = 0;
  /** Hosts that did not end a job, and processes that are avoided for it. */
  readonly lostBy: string[] = [];
  readonly deaf = new Set<string>();
  /** Whether hosts are believed by their own word that a domain takes no mail. */
  vouches = true;
  /** What is said of mailboxes is believed. */
  readonly mailboxes = {
    hear: () => 0 as const,
    isWitness: (_host: HostRef, answer: Answer) => answer !== 'denies' || this.vouches,
    judge: () => null,
    streak: () => Infinity,
  };

  constructor(trusts: Readonly<Record<string, Trust>> = {}, ratings: Readonly<Record<string, Partial<Rating>>> = {}) {
    this.#trusts = new Map(Object.entries(trusts));
    this.#ratings = ratings;
  }

  trustOf(instance: string): Trust {
    return this.#trusts.get(instance) ?? 'trusted';
  }
  rate({ instance }: HostRef): Rating {
    return {
      trust: this.trustOf(instance),
      avoided: this.deaf.has(instance),
      assigned: 0,
      assignedAddresses: 0,
      chances: 0,
      ...this.#ratings[instance],
    };
  }
  sample(): boolean {
    this.samples -= 1;
    return this.samples >= 0;
  }
  mayVouch(): boolean {
    return this.vouches;
  }
  vouch(): boolean {
    return this.vouches;
  }
  /** As the real ones do, it proves a host of which nothing was known. */
  reached({ instance }: HostRef): void {
    if (this.trustOf(instance) === 'unproven') this.#trusts.set(instance, 'proven');
    this.told.push(`${instance} reached`);
  }
  contradicted({ instance }: HostRef, { domain }: AskedOf): void {
    this.told.push(`${instance} contradicted at ${domain}`);
  }
  assigned(): void {}
  answered({ instance }: HostRef, refusal: string | null): void {
    this.deaf.delete(instance);
    if (refusal !== null) this.told.push(`${instance} refused: ${refusal}`);
  }
  lost({ host, instance }: HostRef, isDeaf: boolean): void {
    if (isDeaf) this.deaf.add(instance);
    this.lostBy.push(host);
  }
}
