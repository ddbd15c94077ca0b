/** A job on its host. Times are the clock's milliseconds; null for what is not waited for. */
export type Watch = {
  ackBy: number | null;
  reportBy: number;
  backBy: number | null;
  /** Which MX rows were written. */
  readonly rows: Uint8Array;
};

/** Why a job is given up now, null if it is not. Pure. */
export function whyLost({ ackBy, reportBy, backBy }: Watch, now: number): 'gone' | 'no_ack' | 'silent' | null {
  if (backBy !== null) return now >= backBy ? 'gone' : null;
  if (ackBy !== null && now >= ackBy) return 'no_ack';
  return now >= reportBy ? 'silent' : null;
}
