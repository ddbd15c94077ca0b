/**
 * A circuit breaker: while it is open, what failed is left alone. Each failure after a time of being open doubles the
 * next.
 */
export type Breaker = { readonly failures: number; readonly openUntilMs: number };

export const CLOSED: Breaker = { failures: 0, openUntilMs: 0 };
const FIRST_MS = 5_000;
const LONGEST_MS = 600_000;

/** The breaker after a failure at this time. Failures while it is open are part of the one that opened it. */
export function afterFailure(breaker: Breaker, nowMs: number): Breaker {
  if (nowMs < breaker.openUntilMs) return breaker;
  const waitMs = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(breaker.failures, 20));
  return { failures: breaker.failures + 1, openUntilMs: nowMs + waitMs };
}
