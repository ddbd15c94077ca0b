/**
 * A circuit breaker: while it is open, a failing host is left alone. Each failure after an open period doubles the next
 * one.
 */
export type Breaker = { readonly failures: number; readonly openUntilMs: number };

export const CLOSED: Breaker = { failures: 0, openUntilMs: 0 };
const FIRST_MS = 5_000;
const LONGEST_MS = 600_000;

/** The breaker after a failure at this time. A failure while it is open counts as part of the one that opened it. */
export function afterFailure(breaker: Breaker, nowMs: number): Breaker {
  if (nowMs < breaker.openUntilMs) return breaker;
  const waitMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(breaker.failures, 20));
  return { failures: breaker.failures + 1, openUntilMs: nowMs + waitMs };
}
