import * as z from 'zod';

// What an object counted in the last five minutes, by name. An idle object loses its memory after seconds, and a failure
// a minute is an outage too: so the counts are also in its storage.

/** What is older counts no more. */
export const RECENT_MINUTES = 5;
const MINUTE_MS = 60_000;
/** How seldom they are written: a row costs money. */
const WRITE_EVERY_MS = { urgent: 1_000, other: 10_000 };
/** Names are words of our own: far fewer than this. */
const NAMES_MAX = 30;
const KEY = 'recent';

/** Counts by name, of this minute first. */
export type ByMinute = ReadonlyArray<Readonly<Record<string, number>>>;

export type CountStore = {
  get(key: string): unknown;
  put(key: string, value: unknown): void;
};

const storedSchema = z.array(z.object({ minute: z.number(), counts: z.record(z.string(), z.number()) }));
type Minute = z.infer<typeof storedSchema>[number];

export class RecentCounts {
  readonly #store: CountStore;
  #minutes: Minute[];
  #writtenAtMs = -Infinity;

  constructor(store: CountStore) {
    this.#store = store;
    const stored = storedSchema.safeParse(store.get(KEY));
    this.#minutes = stored.success ? stored.data : [];
  }

  /** @param isUrgent it is to outlive the object, even if nothing follows */
  add(name: string, times: number, nowMs: number, isUrgent: boolean): void {
    const { counts } = this.#current(nowMs);
    if (!Object.hasOwn(counts, name) && Object.keys(counts).length >= NAMES_MAX) return;
    counts[name] = (counts[name] ?? 0) + times;
    if (nowMs - this.#writtenAtMs < WRITE_EVERY_MS[isUrgent ? 'urgent' : 'other']) return;
    this.#writtenAtMs = nowMs;
    this.#store.put(KEY, this.#minutes);
  }

  /** Of the last five minutes, this one first. */
  of(nowMs: number): ByMinute {
    const now = Math.floor(nowMs / MINUTE_MS);
    return Array.from({ length: RECENT_MINUTES }, (_, ago) => ({
      ...this.#minutes.find(({ minute }) => minute === now - ago)?.counts,
    }));
  }

  #current(nowMs: number): Minute {
    const minute = Math.floor(nowMs / MINUTE_MS);
    const last = this.#minutes.at(-1);
    // A clock that goes back a little counts where it was.
    if (last !== undefined && last.minute >= minute) return last;
    const begun: Minute = { minute, counts: {} };
    this.#minutes = [...this.#minutes.filter((old) => old.minute > minute - RECENT_MINUTES), begun];
    return begun;
  }
}
