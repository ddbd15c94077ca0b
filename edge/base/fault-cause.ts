/**
 * What failed in a request, outside the fleet: D1 is named in the texts of its errors, the rest is the Worker's own.
 */
export function causeOf(error: unknown): 'database' | 'worker' {
  return error instanceof Error && /^D1_|\bD1 (?:DB|is)\b/.test(error.message) ? 'database' : 'worker';
}
