/** How long something that fails again and again is left alone. Each failure that was waited for doubles it. */
export type BackOff = { readonly failures: number; readonly untilMs: number };

export const NO_BACK_OFF: BackOff = { failures: 0, untilMs: 0 };
const FIRST_MS = 5_000;
const LONGEST_MS = 600_000;

/** The back-off after a failure at this time. Failures while it lasts are part of the one that began it. */
export function failed(backOff: BackOff, nowMs: number): BackOff {
  if (nowMs < backOff.untilMs) return backOff;
  const waitMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(backOff.failures, 20));
  return { failures: backOff.failures + 1, untilMs: nowMs + waitMs };
}
