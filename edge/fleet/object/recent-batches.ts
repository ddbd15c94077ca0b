import * as z from 'zod';
import { type BatchReport, batchReportSchema } from '../../../schema/batch-report.ts';
import type { Clock } from '../trust/services.ts';

// How the last batches went, for the operator who asks about one. They are written some at a time, a moment after they
// ended: a row each would cost as much as all that is stored of a batch, and an object that idles loses its memory.

/** Reports together in a row: some 50 kB. */
const PAGE = 50;
const PAGES_MAX = 10;
const WRITE_AFTER_MS = 2_000;
/** What is older is told to nobody, and goes with the next that is written. */
const KEPT_MS = 7 * 86_400_000;
const PREFIX = 'batches:';

const pageSchema = z.array(batchReportSchema);

export type PageStore = Pick<SyncKvStorage, 'list' | 'put' | 'delete'>;

export class RecentBatches {
  readonly #store: PageStore;
  readonly #clock: Clock;
  /** By number of their page, the newest page last. */
  readonly #pages: Map<number, BatchReport[]>;
  #isDue = false;

  constructor(store: PageStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    const stored = [...store.list({ prefix: PREFIX })].map(([key, value]) => {
      const page = pageSchema.safeParse(value);
      return [Number(key.slice(PREFIX.length)), page.success ? page.data : []] as const;
    });
    this.#pages = new Map(stored.toSorted(([a], [b]) => a - b));
  }

  note(report: BatchReport): void {
    const [number, page] = [...this.#pages].at(-1) ?? [0, []];
    if (page.length < PAGE) this.#pages.set(number, [...page, report]);
    else this.#pages.set(number + 1, [report]);
    this.#writeSoon();
  }

  /** Null: no such batch ended here lately. */
  get(id: string): BatchReport | null {
    const found = this.#find(id);
    return found === undefined || this.#clock.now() - found.atMs > KEPT_MS ? null : found;
  }

  #find(id: string): BatchReport | undefined {
    for (const page of [...this.#pages.values()].toReversed()) {
      const found = page.findLast((one) => one.id === id);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #writeSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#clock.after(WRITE_AFTER_MS, () => this.#write());
  }

  /** Writes the newest pages. */
  #write(): void {
    this.#isDue = false;
    const since = this.#clock.now() - KEPT_MS;
    for (const [number, page] of [...this.#pages].slice(-2)) this.#store.put(`${PREFIX}${number}`, page);
    const numbers = [...this.#pages.keys()];
    for (const [at, number] of numbers.entries()) {
      const newest = this.#pages.get(number)?.at(-1)?.atMs ?? 0;
      if (at >= numbers.length - PAGES_MAX && newest >= since) continue;
      this.#pages.delete(number);
      this.#store.delete(`${PREFIX}${number}`);
    }
  }
}
