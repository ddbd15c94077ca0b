/** How much of a thorough search at random is made: FUZZ=1 is all of it (`npm run test:long`), FUZZ=50 fifty times as much. */
const SHARE = Number(process.env['FUZZ'] ?? 0.2);

/** @param thorough how many runs a property gets with `npm run test:long` */
export function runs(thorough: number): number {
  return Math.max(1, Math.ceil(thorough * SHARE));
}
