/** What the limits say of a connection from one egress address. */
export type EgressState = {
  /** Milliseconds until another unknown recipient may be named from it; 0: now. */
  readonly putOffMs: number;
  /** Until when it rests there, in the clock's milliseconds; in the past if it does not. */
  readonly restsUntil: number;
  /** Connections that it has there, or that wait. */
  readonly connections: number;
  /** When its pace there is full again: of two the one with the earlier time was used less. */
  readonly rateFullAt: number;
};

/**
 * The egress address that a connection comes from: of those that may connect the one that is used least, else the one that
 * may soonest.
 * @param states of the addresses of the right family
 * @returns null if there are none; `waitMs` 0: it may connect
 */
export function chooseEgress<S extends EgressState>(
  states: readonly S[],
  now: number,
): { readonly state: S; readonly waitMs: number } | null {
  let best: { readonly state: S; readonly waitMs: number } | null = null;
  for (const state of states) {
    const waitMs = Math.max(0, state.restsUntil - now, state.putOffMs);
    if (best === null || waitMs < best.waitMs || (waitMs === best.waitMs && isLessUsed(state, best.state)))
      best = { state, waitMs };
  }
  return best;
}

function isLessUsed(a: EgressState, b: EgressState): boolean {
  return a.connections === b.connections ? a.rateFullAt < b.rateFullAt : a.connections < b.connections;
}
