/** Until when a job is its host's. Times are the clock's milliseconds; null for what is not waited for. */
export type Lease = {
  ackBy: number | null;
  reportBy: number;
  backBy: number | null;
  /** Which MX rows were written. */
  readonly rows: Uint8Array;
};

export type Expiry = 'gone' | 'no_ack' | 'silent';

/** Why a lease is over now, null if it is not. Pure. */
export function whyExpired({ ackBy, reportBy, backBy }: Lease, now: number): Expiry | null {
  if (backBy !== null) return now >= backBy ? 'gone' : null;
  if (ackBy !== null && now >= ackBy) return 'no_ack';
  return now >= reportBy ? 'silent' : null;
}
