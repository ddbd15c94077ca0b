// Times and days as the JSON of operators and pages has them.

const DAY_MS = 86_400_000;

/** An entry of that JSON as D1 has it: these times are milliseconds since 1970 UTC. */
export type AsStored<Entry, Times extends keyof Entry> = Omit<Entry, Times> & Readonly<Record<Times, number>>;

/** A whole day since 1970 UTC as `2026-11-20`. */
export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Milliseconds since 1970 UTC as `2026-11-20T12:00:00.000Z`. */
export function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
