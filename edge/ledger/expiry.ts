const MONTHS = 12;

/**
 * When credits bought now expire: 12 calendar months later in UTC, at the same time of day, on the month's last day
 * if it has no such day (29 February).
 * @param boughtAtMs milliseconds since 1970 UTC
 */
export function expiryOf(boughtAtMs: number): number {
  const bought = new Date(boughtAtMs);
  const expiry = new Date(boughtAtMs);
  expiry.setUTCMonth(bought.getUTCMonth() + MONTHS);
  // A day that the month does not have runs over into the next one: day 0 of that is the last of ours.
  if (expiry.getUTCDate() !== bought.getUTCDate()) expiry.setUTCDate(0);
  return expiry.getTime();
}
