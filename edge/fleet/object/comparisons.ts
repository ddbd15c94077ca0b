import { jobPayloadSchema } from '../../../schema/link.ts';
import { parseJson } from '../../../schema/parse-json.ts';
import { FleetBatch } from '../batch/fleet-batch.ts';
import { saidOf } from '../batch/next.ts';
import type { FleetServices, Settled } from '../batch/services.ts';
import { type Said, wantsWitness } from '../trust/rules.ts';

// Now and then an address is given to other hosts too, after its caller's answer and apart from it: the result changes
// no verdict, no price and no waiting time. A host that is misled without noticing sooner or later stands alone.

/**
 * A host that stood alone lately is compared more often: whether it is broken is known after a few addresses and not
 * hundreds.
 */
const SOONER = 5;
/** Comparisons at once; beyond this none is begun. */
const UNDER_WAY_MAX = 50;
/**
 * A host must not know which of its jobs are comparisons: they have as much time as others, and run for the same
 * account.
 */
const LASTS_MS = 85_000;
const NOTHING = (): void => {};

export type ComparisonSettings = {
  /** One address in this many is compared; 0: none. */
  readonly every: number;
  /** Whether the host stood alone in one of its last hundred comparisons. */
  readonly hasDiffered: (host: string) => boolean;
  /** An id that no batch ever had, in the same form. */
  readonly newId: () => string;
  /** The result for one address: two or more reports. */
  readonly compared: (said: readonly Said[], settled: Settled) => void;
};

export class Comparisons {
  readonly #services: FleetServices;
  readonly #settings: ComparisonSettings;
  readonly #batches = new Map<string, FleetBatch>();
  /** At 1 an address is compared. */
  #due = 0;

  constructor(services: FleetServices, settings: ComparisonSettings) {
    this.#services = services;
    this.#settings = settings;
  }

  get(id: string): FleetBatch | null {
    return this.#batches.get(id) ?? null;
  }

  /** The comparisons in progress. */
  get all(): Iterable<FleetBatch> {
    return this.#batches.values();
  }

  /** One address in `every` is given to another host, and to a third if the two differ. */
  offer(settled: Settled): void {
    const { every, hasDiffered, newId, compared } = this.#settings;
    const said = saidOf(settled.heard);
    if (every === 0 || said.length === 0 || this.#batches.size >= UNDER_WAY_MAX) return;
    this.#due += (said.some(({ host }) => hasDiffered(host)) ? SOONER : 1) / every;
    if (this.#due < 1) return;
    // Not exactly every fiftieth: hosts may be asked in turn. Nor purely at random: some would be spared for long.
    this.#due = (this.#services.random() - 0.5) * (1 - 1 / every);
    if (!wantsWitness(said)) return compared(said, settled);
    const batchId = newId();
    const { account, address } = settled;
    const { addresses } = jobPayloadSchema.parse(parseJson(`{"addresses":[${address}]}`));
    const job = { batchId, account, accountClass: 'bought', addresses } as const;
    const sink = { write: NOTHING, end: NOTHING, unread: 0 };
    const events = {
      settled: ({ heard }: Settled) => {
        const all = saidOf(heard);
        if (all.length > 1) compared(all, { ...settled, heard });
      },
      ended: NOTHING,
    };
    const onEnd = (): void => void this.#batches.delete(batchId);
    const batch = new FleetBatch({ ...job, remainingMs: LASTS_MS }, sink, this.#services, events, onEnd, settled.heard);
    this.#batches.set(batchId, batch);
    batch.advance();
  }
}
