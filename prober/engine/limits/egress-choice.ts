/** What the limits say of a connection from one egress address. */
export type EgressState = {
  /** Its place in EGRESS. */
  readonly number: number;
  /** Milliseconds until another unknown recipient may be named from it; 0: now. */
  readonly putOffMs: number;
  /** Until when it cools down there, in the clock's milliseconds. */
  readonly coolingUntil: number;
  /** Connections that it has there, or that wait. */
  readonly connections: number;
  /** When its rate limit there is full again: of two the one with the earlier time was used less. */
  readonly rateFullAt: number;
};

export type EgressChoice =
  | { readonly kind: 'from'; readonly number: number }
  /** All cool down past the deadline. */
  | { readonly kind: 'cooling'; readonly waitMs: number }
  /** None may name another unknown recipient; `number` may be the first to. */
  | { readonly kind: 'put_off'; readonly number: number; readonly waitMs: number }
  | { readonly kind: 'none' };

/**
 * The egress address that a connection comes from: the one that may connect first, of several the one that is used least.
 * @param states of the addresses of the right family
 * @param deadlineMs when waiting is no longer worth it, in the clock's milliseconds
 */
export function chooseEgress(states: Iterable<EgressState>, now: number, deadlineMs: number): EgressChoice {
  let best: EgressState | null = null;
  let leastPutOff: EgressState | null = null;
  for (const state of states) {
    if (state.putOffMs === 0) best = best === null || isBetter(state, best, now) ? state : best;
    else if (state.putOffMs < (leastPutOff?.putOffMs ?? Infinity)) leastPutOff = state;
  }
  // The best is of those that may connect first.
  if (best !== null)
    return best.coolingUntil > Math.max(now, deadlineMs)
      ? { kind: 'cooling', waitMs: best.coolingUntil - now }
      : { kind: 'from', number: best.number };
  if (leastPutOff === null) return { kind: 'none' };
  return { kind: 'put_off', number: leastPutOff.number, waitMs: leastPutOff.putOffMs };
}

function isBetter(a: EgressState, b: EgressState, now: number): boolean {
  const [fromA, fromB] = [Math.max(now, a.coolingUntil), Math.max(now, b.coolingUntil)];
  if (fromA !== fromB) return fromA < fromB;
  return a.connections === b.connections ? a.rateFullAt < b.rateFullAt : a.connections < b.connections;
}
