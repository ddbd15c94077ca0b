import type { CountedCheck, FormLimits } from '../base/limiter-protocol.ts';
import { count, isOpen, type Window, WINDOW_MS } from './window.ts';

// What the key of a form may still do: two windows for each visitor's network, and the credits of the day, which each
// check reserves before anything is held for it. So concurrent checks never exceed them.

export const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
export const DAY = 'day';
/** Checks of malformed addresses cost nothing, so only this bounds the number of their networks. */
const WINDOWS_MAX = 50_000;

/** When the UTC day began. */
function dayOf(nowMs: number): number {
  return Math.floor(nowMs / DAY_MS) * DAY_MS;
}

/**
 * Counts a check, or refuses it and counts nothing. Pure.
 * @param credits the most that it may cost
 * @returns what to answer, and the windows to keep
 */
export function countCheck(
  windows: ReadonlyMap<string, Window>,
  nowMs: number,
  { visitor, credits }: { readonly visitor: string | null; readonly credits: number },
  { perMinute, perHour, creditsPerDay }: FormLimits,
): { readonly counted: CountedCheck; readonly keep: ReadonlyMap<string, Window> } {
  const day = dayOf(nowMs);
  const keep = new Map<string, Window>();
  const refuse = (refused: 'visitor' | 'day', resetMs: number) => ({
    counted: { refused, day, resetMs },
    keep: new Map<string, Window>(),
  });
  const limits = [
    [`minute ${visitor}`, perMinute, WINDOW_MS],
    [`hour ${visitor}`, perHour, HOUR_MS],
  ] as const;
  for (const [name, limit, lengthMs] of visitor === null ? [] : limits) {
    const known = windows.get(name) ?? null;
    const { counted, keep: kept } = count(known, nowMs, limit, 1, lengthMs);
    if (kept === null || (known === null && windows.size >= WINDOWS_MAX)) return refuse('visitor', counted.resetMs);
    keep.set(name, kept);
  }
  const spent = windows.get(DAY)?.startedMs === day ? (windows.get(DAY)?.used ?? 0) : 0;
  if (credits > 0 && spent + credits > creditsPerDay) return refuse('day', day + DAY_MS - nowMs);
  if (credits > 0) keep.set(DAY, { startedMs: day, used: spent + credits });
  return { counted: { refused: null, day, resetMs: 0 }, keep };
}

/** Whether a window is over and can be dropped. Pure. */
export function isOver(name: string, window: Window, nowMs: number): boolean {
  return name === DAY ? window.startedMs !== dayOf(nowMs) : !isOpen(window, nowMs, HOUR_MS);
}
