import { jobPayloadSchema } from '../../../schema/link.ts';
import { parseJson } from '../../../schema/parse-json.ts';
import { FleetBatch } from '../batch/fleet-batch.ts';
import { saidOf } from '../batch/next.ts';
import type { FleetServices, Settled } from '../batch/services.ts';
import { type Said, wantsWitness } from '../trust/rules.ts';

// Now and then an address is put to other hosts too, after its caller's answer and apart from it: what comes of it changes no
// verdict, no price and nobody's waiting. A host that something misleads where it does not notice stands alone sooner or later.

/** At once; one more is not begun. */
const UNDER_WAY_MAX = 50;
/** A host must not know which of its jobs are comparisons: so they have as much time as others, and are of the same account. */
const LASTS_MS = 85_000;
const NOTHING = (): void => {};

export type ComparisonSettings = {
  /** One address in this many is compared; 0: none. */
  readonly every: number;
  /** An id that no batch ever had, and like that of any. */
  readonly newId: () => string;
  /** What came of one address: said by two hosts or more. */
  readonly compared: (said: readonly Said[], settled: Settled) => void;
};

export class Comparisons {
  readonly #services: FleetServices;
  readonly #settings: ComparisonSettings;
  readonly #batches = new Map<string, FleetBatch>();

  constructor(services: FleetServices, settings: ComparisonSettings) {
    this.#services = services;
    this.#settings = settings;
  }

  get(id: string): FleetBatch | null {
    return this.#batches.get(id) ?? null;
  }

  /** Those that are under way. */
  get all(): Iterable<FleetBatch> {
    return this.#batches.values();
  }

  /** One address in `every` is put to another host, and to a third if the two differ. */
  offer(settled: Settled): void {
    const { every, newId, compared } = this.#settings;
    if (every === 0 || this.#services.random() * every >= 1 || this.#batches.size >= UNDER_WAY_MAX) return;
    const said = saidOf(settled.heard);
    if (said.length === 0) return;
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
