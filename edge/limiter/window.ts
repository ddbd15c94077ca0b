import type { Counted } from '../base/limiter-protocol.ts';

// A fixed window: it begins with the first call after the last one ended, and counts the calls that were allowed.

export const WINDOW_MS = 60_000;

export type Window = { readonly startedMs: number; readonly used: number };

export function isOpen({ startedMs }: Window, nowMs: number, lengthMs = WINDOW_MS): boolean {
  return Math.abs(nowMs - startedMs) < lengthMs;
}

/**
 * Counts a call, or with 0 only checks whether one is allowed. Pure.
 * @param window the window so far, null before the first call
 * @param nowMs a clock that may be set back when the object moves: a window is never trusted for longer than it lasts
 * @param limit calls per window, 1 or more; may have been changed since the window began
 * @returns what to answer, and the window to keep: null if it did not change
 */
export function count(
  window: Window | null,
  nowMs: number,
  limit: number,
  calls: 0 | 1 = 1,
  lengthMs = WINDOW_MS,
): { readonly counted: Counted; readonly keep: Window | null } {
  const open = window !== null && isOpen(window, nowMs, lengthMs) ? window : { startedMs: nowMs, used: 0 };
  const resetMs = Math.min(lengthMs, open.startedMs + lengthMs - nowMs);
  if (open.used >= limit) return { counted: { allowed: false, remaining: 0, resetMs }, keep: null };
  const used = open.used + calls;
  return {
    counted: { allowed: true, remaining: Math.max(0, limit - used), resetMs },
    keep: { startedMs: open.startedMs, used },
  };
}
