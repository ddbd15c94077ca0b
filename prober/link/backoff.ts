import type { Random } from '../engine/ports/ports.ts';

const FIRST_MS = 100;
const LONGEST_MS = 10_000;

/** Full jitter: the hosts of an object that was reset do not all return at once. @param failures in a row, from 1 */
export function backoffMs(failures: number, random: Random): number {
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 20));
  return random() * ceiling;
}
