import type { CountedCheck, FormLimits } from '../base/limiter-protocol.ts';
import type { Window } from './window.ts';

// What the key of a form may still do: two windows for each visitor's network, and the credits of the day, of which each check
// reserves its own before anything is held for it. So they never add up to more, however many come at once.

const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const DAY = 'day';
/** Addresses that are none cost nothing, and so their networks are bounded by this alone. */
const WINDOWS_MAX = 50_000;

type Windows = ReadonlyMap<string, Window>;
type Kept = readonly [name: string, window: Window];
type Counting = { readonly counted: CountedCheck; readonly keep: readonly Kept[] };

/**
 * Counts a check, or refuses it and counts nothing. Pure.
 * @param credits what it may cost
 * @returns what to answer, and the windows to keep
 */
export function countCheck(
  windows: Windows,
  nowMs: number,
  { visitor, credits }: { readonly visitor: string | null; readonly credits: number },
  { perMinute, perHour, creditsPerDay }: FormLimits,
): Counting {
  const limits = [
    { name: `minute ${visitor}`, lengthMs: MINUTE_MS, limit: perMinute },
    { name: `hour ${visitor}`, lengthMs: HOUR_MS, limit: perHour },
  ];
  const keep: Kept[] = [];
  const day = Math.floor(nowMs / DAY_MS) * DAY_MS;
  const refuse = (refused: 'visitor' | 'day', resetMs: number): Counting => ({
    counted: { refused, day, resetMs },
    keep: [],
  });
  for (const { name, lengthMs, limit } of visitor === null ? [] : limits) {
    const known = windows.get(name);
    const open = known !== undefined && isWithin(known, nowMs, lengthMs) ? known : { startedMs: nowMs, used: 0 };
    const isFull = open.used >= limit || (known === undefined && windows.size >= WINDOWS_MAX);
    if (isFull) return refuse('visitor', Math.min(lengthMs, open.startedMs + lengthMs - nowMs));
    keep.push([name, { ...open, used: open.used + 1 }]);
  }
  const spent = windows.get(DAY)?.startedMs === day ? (windows.get(DAY)?.used ?? 0) : 0;
  if (credits > 0 && spent + credits > creditsPerDay) return refuse('day', day + DAY_MS - nowMs);
  if (credits > 0) keep.push([DAY, { startedMs: day, used: spent + credits }]);
  return { counted: { refused: null, day, resetMs: 0 }, keep };
}

/** The day's window after credits came back; null if that day is over. Pure. */
export function afterReturn(windows: Windows, day: number, credits: number): Kept | null {
  const known = windows.get(DAY);
  return known?.startedMs === day ? [DAY, { startedMs: day, used: Math.max(0, known.used - credits) }] : null;
}

/** The visitors' windows that are over. Pure. */
export function ended(windows: Windows, nowMs: number): readonly string[] {
  return [...windows].flatMap(([name, window]) => (name === DAY || isWithin(window, nowMs, HOUR_MS) ? [] : [name]));
}

/** A clock may be set back: then a window is over as well. */
function isWithin({ startedMs }: Window, nowMs: number, lengthMs: number): boolean {
  return Math.abs(nowMs - startedMs) < lengthMs;
}
