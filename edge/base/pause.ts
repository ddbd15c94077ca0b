/** Resolves once `ms` have passed. */
export function pause(ms: number): Promise<void> {
  return new Promise((wake) => setTimeout(wake, ms));
}
