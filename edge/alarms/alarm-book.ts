import * as z from 'zod';
import type { LogFields } from '../base/log-fields.ts';
import { alarmKey, type Raised } from '../base/paging.ts';

// What was posted, and what is still to be. One alarm of a kind an hour: whoever is awake needs no second.

const HOUR_MS = 3_600_000;
/** Posts in an hour, of all kinds: with more than that everything is on fire, and the first said so. */
const POSTS_MAX = 30;
/** Kinds are events of ours, each with a host or a cause. */
const KINDS_MAX = 200;
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
  /** When it was posted; null: it was not yet. */
  postedAtMs: z.number().nullable(),
});
export type Alarm = Readonly<z.infer<typeof alarmSchema>> & { readonly fields: LogFields };
const storedSchema = z.array(z.tuple([z.string(), alarmSchema]));

export class AlarmBook {
  readonly #store: AlarmStore;
  readonly #alarms: Map<string, Alarm>;

  constructor(store: AlarmStore) {
    this.#store = store;
    const stored = storedSchema.safeParse(store.get(KEY));
    this.#alarms = new Map(stored.success ? stored.data : []);
  }

  note({ event, fields, times }: Raised, nowMs: number): void {
    this.#forgetOld(nowMs);
    const key = alarmKey(event, fields);
    const known = this.#alarms.get(key);
    if (known === undefined && this.#alarms.size >= KINDS_MAX) return;
    this.#alarms.set(
      key,
      known === undefined
        ? { event, fields, firstAtMs: nowMs, times, postedAtMs: null }
        : { ...known, times: known.times + times },
    );
    // Repetitions are only counted: a row for each of them would cost money and tell nothing.
    if (known === undefined) this.#write();
  }

  /** What is to be posted now, marked as posted. */
  takeDue(nowMs: number): readonly Alarm[] {
    this.#forgetOld(nowMs);
    const posted = [...this.#alarms.values()].filter(({ postedAtMs }) => postedAtMs !== null).length;
    const due = [...this.#alarms].filter(([, { postedAtMs }]) => postedAtMs === null).slice(0, POSTS_MAX - posted);
    if (due.length === 0) return [];
    for (const [key, alarm] of due) this.#alarms.set(key, { ...alarm, postedAtMs: nowMs });
    this.#write();
    return due.map(([, alarm]) => alarm);
  }

  /** These could not be posted: they are due again. */
  giveBack(alarms: readonly Alarm[]): void {
    for (const { event, fields } of alarms) {
      const key = alarmKey(event, fields);
      const known = this.#alarms.get(key);
      if (known !== undefined) this.#alarms.set(key, { ...known, postedAtMs: null });
    }
    this.#write();
  }

  #forgetOld(nowMs: number): void {
    for (const [key, { firstAtMs }] of this.#alarms) if (nowMs - firstAtMs >= HOUR_MS) this.#alarms.delete(key);
  }

  #write(): void {
    this.#store.put(KEY, [...this.#alarms]);
  }
}
