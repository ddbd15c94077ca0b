/** Milliseconds of a clock that nobody sets. `performance`, which counts the same, would load twelve modules of Node. */
export function monotonicMs(): number {
  const [s, ns] = process.hrtime();
  return s * 1_000 + ns / 1e6;
}
