import type { Standing } from '../fleet/trust/host-record.ts';
import type { PeersOfBatch } from '../fleet/trust/peers.ts';
import type { HostRef, Rating } from '../fleet/trust/roster.ts';

/** Hosts that stand as the test says, all of them trusted if it says nothing; what a batch tells of them is noted. */
export class ScriptedPeers implements PeersOfBatch {
  readonly told: string[] = [];
  readonly #standings: Map<string, Standing>;
  readonly #ratings: Readonly<Record<string, Partial<Rating>>>;
  samples = 0;

  constructor(
    standings: Readonly<Record<string, Standing>> = {},
    ratings: Readonly<Record<string, Partial<Rating>>> = {},
  ) {
    this.#standings = new Map(Object.entries(standings));
    this.#ratings = ratings;
  }

  standing(instance: string): Standing {
    return this.#standings.get(instance) ?? 'trusted';
  }
  rate(instance: string): Rating {
    return { standing: this.standing(instance), avoided: false, given: 0, ...this.#ratings[instance] };
  }
  sample(): boolean {
    this.samples -= 1;
    return this.samples >= 0;
  }
  /** As the real ones do, it proves a host of which nothing was known. */
  reached({ instance }: HostRef): void {
    if (this.standing(instance) === 'unproven') this.#standings.set(instance, 'proven');
    this.told.push(`${instance} reached`);
  }
  contradicted({ instance }: HostRef, receiver: number): void {
    this.told.push(`${instance} contradicted at ${receiver}`);
  }
  given(): void {}
  answered({ instance }: HostRef, refusal: string | null): void {
    if (refusal !== null) this.told.push(`${instance} refused: ${refusal}`);
  }
}
