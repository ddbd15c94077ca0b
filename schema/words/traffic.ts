// How the service does, in counts by name: made by the Worker where a request ends, kept by the minute and by the hour,
// read by operators. Names are words of ours: no account, no address, no domain.

/** How many minutes of logged errors are shown. */
const ERROR_MINUTES = 10;

/** `calls`, `addresses`, `faults`, `gone`, `fault_database`, `ms_500`, `status_valid`, `reason_timeout`, `reason_none`, `error_mail_failed` and so on. */
export type TrafficCounts = Readonly<Record<string, number>>;

/** Upper bounds of the times that calls took, in milliseconds; a slower one is in `ms_more`. */
const STEPS_MS = [100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 40_000, 90_000] as const;

/** Answered calls, by the first step that their time is within. */
export function stepOf(ms: number): string {
  return `ms_${STEPS_MS.find((step) => ms <= step) ?? 'more'}`;
}

export type Traffic = {
  /** Verifications that were answered or failed through a fault of ours. */
  readonly calls: number;
  readonly addresses: number;
  /** Of the calls. */
  readonly faults: number;
  /** Calls beside these whose caller left before the end of the answer. */
  readonly gone: number;
  /** Milliseconds within which half of the answered calls, and 99 of 100, ended; null without calls, or beyond the last step. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  /** The most frequent first. */
  readonly statuses: readonly Share[];
  readonly reasons: readonly Share[];
  readonly faultsBy: readonly Share[];
  readonly errors: readonly Share[];
};
export type Share = readonly [name: string, count: number];

/** Counts of several minutes or hours together. Pure. */
export function trafficOf(parts: readonly TrafficCounts[]): Traffic {
  const sums = new Map<string, number>();
  for (const part of parts) for (const [name, n] of Object.entries(part)) sums.set(name, (sums.get(name) ?? 0) + n);
  const of = (prefix: string): readonly Share[] =>
    [...sums]
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, n]): Share => [name.slice(prefix.length), n])
      .toSorted(([, a], [, b]) => b - a);
  return {
    calls: sums.get('calls') ?? 0,
    addresses: sums.get('addresses') ?? 0,
    faults: sums.get('faults') ?? 0,
    gone: sums.get('gone') ?? 0,
    p50Ms: quantile(sums, 0.5),
    p99Ms: quantile(sums, 0.99),
    statuses: of('status_'),
    reasons: of('reason_'),
    faultsBy: of('fault_'),
    errors: of('error_'),
  };
}

/**
 * What the edge logged as an error in the last ten minutes; null: nothing. Pure.
 * @param minutes the newest first
 * @returns the events with how often they came, and in which minute the last of them did, 0 for this one
 */
export function loggedLately(
  minutes: readonly TrafficCounts[],
): { readonly errors: readonly Share[]; readonly ago: number } | null {
  const lately = minutes.slice(0, ERROR_MINUTES);
  const { errors } = trafficOf(lately);
  return errors.length === 0 ? null : { errors, ago: lately.findIndex((part) => trafficOf([part]).errors.length > 0) };
}

/** The step that this share of the answered calls is within. */
function quantile(sums: ReadonlyMap<string, number>, share: number): number | null {
  const names = [...STEPS_MS.map((step) => `ms_${step}`), 'ms_more'];
  const all = names.reduce((sum, name) => sum + (sums.get(name) ?? 0), 0);
  let within = 0;
  for (const step of STEPS_MS) {
    within += sums.get(`ms_${step}`) ?? 0;
    if (all > 0 && within >= share * all) return step;
  }
  return null;
}
