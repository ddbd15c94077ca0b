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
export function chooseEgress(states: readonly EgressState[], now: number, deadlineMs: number): EgressChoice {
  const [leastPutOff] = states.toSorted((a, b) => a.putOffMs - b.putOffMs);
  if (leastPutOff === undefined) return { kind: 'none' };
  const usable = states.filter(({ putOffMs }) => putOffMs === 0);
  const [best] = usable.toSorted((a, b) => compare(loadOf(a, now), loadOf(b, now)));
  if (best === undefined) return { kind: 'put_off', number: leastPutOff.number, waitMs: leastPutOff.putOffMs };
  const until = Math.min(...usable.map(({ coolingUntil }) => coolingUntil));
  if (until > deadlineMs && until > now) return { kind: 'cooling', waitMs: until - now };
  return { kind: 'from', number: best.number };
}

function loadOf({ coolingUntil, connections, rateFullAt }: EgressState, now: number): readonly number[] {
  return [Math.max(now, coolingUntil), connections, rateFullAt];
}

/** Number by number. */
function compare(a: readonly number[], b: readonly number[]): number {
  for (const [at, one] of a.entries()) {
    const other = b[at] ?? 0;
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}
