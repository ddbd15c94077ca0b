/** The value at the top of an axis that has to hold this: round, and so is its half. Pure. */
export function topOfAxis(most: number): number {
  const unit = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return [1, 2, 4, 6, 8, 10].map((times) => times * unit).find((top) => top >= most && top % 2 === 0) ?? 10 * unit;
}
