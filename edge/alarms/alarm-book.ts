import * as z from 'zod';
import type { LogFields } from '../base/log-fields.ts';
import { alarmKey, type Raised } from '../base/paging.ts';
import type { ByMinute } from '../base/recent-counts.ts';

// What was posted, and what is still to be: each alarm at once, and again every hour while it lasts.

const HOUR_MS = 3_600_000;
/** Hosts, causes and orders together are far fewer, but in a storm: then what comes first is told. */
const ALARMS_MAX = 200;
const KEY = 'alarms';

export type AlarmStore = {
  get(key: string): unknown;
  put(key: string, value: unknown): void;
};

const alarmSchema = z.object({
  /** What was written to the log when it came first. */
  event: z.string(),
  fields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  firstAtMs: z.number(),
  times: z.number(),
  /** When it was posted; null: it was not yet, and is kept until it is. */
  postedAtMs: z.number().nullable(),
});
export type Alarm = Readonly<z.infer<typeof alarmSchema>> & { readonly fields: LogFields };
const storedSchema = z.array(z.tuple([z.string(), alarmSchema]));

/** An error in so many minutes of an hour is no accident, whatever it is. */
const REPEATED_MINUTES = 3;

/** Whether an error that pages nobody by itself has to. Pure. @param minutes counts of the last hour */
export function isRepeated(event: string, minutes: ByMinute): boolean {
  return minutes.filter((counts) => Object.hasOwn(counts, `error_${event}`)).length >= REPEATED_MINUTES;
}

export class AlarmBook {
  readonly #store: AlarmStore;
  readonly #alarms: Map<string, Alarm>;

  constructor(store: AlarmStore) {
    this.#store = store;
    const stored = storedSchema.safeParse(store.get(KEY));
    this.#alarms = new Map(stored.success ? stored.data : []);
  }

  /** What is to be posted, the oldest first. */
  get due(): readonly Alarm[] {
    return [...this.#alarms.values()].filter(({ postedAtMs }) => postedAtMs === null);
  }

  note({ event, fields, times }: Raised, nowMs: number): void {
    for (const [key, { postedAtMs }] of this.#alarms)
      if (postedAtMs !== null && nowMs - postedAtMs >= HOUR_MS) this.#alarms.delete(key);
    const key = alarmKey(event, fields);
    const known = this.#alarms.get(key);
    // Repetitions are counted in memory alone: a row for each would cost money and tell nothing.
    if (known !== undefined) this.#alarms.set(key, { ...known, times: known.times + times });
    if (known !== undefined || this.#alarms.size >= ALARMS_MAX) return;
    this.#alarms.set(key, { event, fields, firstAtMs: nowMs, times, postedAtMs: null });
    this.#write();
  }

  /** @param postedAtMs null: these could not be posted, and are due again */
  mark(alarms: readonly Alarm[], postedAtMs: number | null): void {
    for (const { event, fields } of alarms) {
      const key = alarmKey(event, fields);
      const known = this.#alarms.get(key);
      if (known !== undefined) this.#alarms.set(key, { ...known, postedAtMs });
    }
    this.#write();
  }

  #write(): void {
    this.#store.put(KEY, [...this.#alarms]);
  }
}
