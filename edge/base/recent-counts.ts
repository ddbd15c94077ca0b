// What an object counted in recent minutes or hours, by name. An idle object loses its memory after seconds, and one
// failure a minute is an outage too: so the counts are also stored.

/** The unit of counting, how many of them are kept, and how often they are written: a row costs money. */
export type CountSpan = {
  /** The key of its row. */
  readonly key: string;
  readonly lastsMs: number;
  /** This many are kept; older ones are dropped. */
  readonly kept: number;
  /** Names are our own fixed words: far fewer than this. */
  readonly namesMax: number;
  readonly writeEveryMs: { readonly urgent: number; readonly other: number };
};

export const RECENT_MINUTES = 5;
const RECENT: CountSpan = {
  key: 'recent',
  lastsMs: 60_000,
  kept: RECENT_MINUTES,
  namesMax: 30,
  writeEveryMs: { urgent: 1_000, other: 10_000 },
};

/** Counts by name, the current minute or hour first. */
export type ByMinute = ReadonlyArray<Readonly<Record<string, number>>>;

/** `minute` is the number of an hour if hours are counted. */
type Minute = { readonly minute: number; readonly counts: Record<string, number> };

export type CountStore = {
  get(key: string): Minute[] | undefined;
  put(key: string, value: Minute[]): void;
};

export class RecentCounts {
  readonly #store: CountStore;
  readonly #span: CountSpan;
  readonly #longer: RecentCounts | null;
  #minutes: Minute[];
  #writtenAtMs = -Infinity;

  /** @param longer counts the same over a longer time: stored no later, so that it never knows of less */
  constructor(store: CountStore, span: CountSpan = RECENT, longer: RecentCounts | null = null) {
    this.#store = store;
    this.#span = span;
    this.#longer = longer;
    this.#minutes = store.get(span.key) ?? [];
  }

  /** @param isUrgent it must survive a reset of the object, even if nothing follows */
  add(name: string, times: number, nowMs: number, isUrgent: boolean): void {
    this.addAll({ [name]: times }, nowMs, isUrgent);
  }

  addAll(added: Readonly<Record<string, number>>, nowMs: number, isUrgent: boolean): void {
    const { namesMax, writeEveryMs } = this.#span;
    const { counts } = this.#current(nowMs);
    for (const [name, times] of Object.entries(added))
      if (Object.hasOwn(counts, name) || Object.keys(counts).length < namesMax)
        counts[name] = (counts[name] ?? 0) + times;
    if (nowMs - this.#writtenAtMs >= writeEveryMs[isUrgent ? 'urgent' : 'other']) this.write(nowMs);
  }

  /** Stores all counts, with those that were added too soon after the last write. */
  write(nowMs: number): void {
    this.#writtenAtMs = nowMs;
    this.#longer?.write(nowMs);
    this.#store.put(this.#span.key, this.#minutes);
  }

  /** All that are kept, the current one first. */
  of(nowMs: number): ByMinute {
    const now = this.#minuteOf(nowMs);
    return Array.from({ length: this.#span.kept }, (_, ago) => ({
      ...this.#minutes.find(({ minute }) => minute === now - ago)?.counts,
    }));
  }

  #current(nowMs: number): Minute {
    const { kept } = this.#span;
    const minute = this.#minuteOf(nowMs);
    const last = this.#minutes.at(-1);
    if (last?.minute === minute) return last;
    const begun: Minute = { minute, counts: {} };
    this.#minutes = [...this.#minutes.filter((old) => old.minute > minute - kept && old.minute < minute), begun];
    return begun;
  }

  /** A clock that goes back a little is still in the minute it was in; counts from the far future are dropped. */
  #minuteOf(nowMs: number): number {
    const minute = Math.floor(nowMs / this.#span.lastsMs);
    return this.#minutes.at(-1)?.minute === minute + 1 ? minute + 1 : minute;
  }
}
