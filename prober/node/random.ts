import { randomFillSync } from 'node:crypto';
import type { Random } from '../engine/ports/ports.ts';

const POOL_WORDS = 1024;
const HIGH_BITS_STEP = 2 ** 26;
const STEPS = 2 ** 53;

/** Random numbers of 53 bits from the system's CSPRNG, drawn some hundreds at a time. */
export function createRandom(): Random {
  const pool = new Uint32Array(POOL_WORDS);
  let used = POOL_WORDS;
  return () => {
    if (used === POOL_WORDS) {
      randomFillSync(pool);
      used = 0;
    }
    const high = (pool[used] ?? 0) >>> 5;
    const low = (pool[used + 1] ?? 0) >>> 6;
    // A number that was given out is not kept.
    pool[used] = 0;
    pool[used + 1] = 0;
    used += 2;
    return (high * HIGH_BITS_STEP + low) / STEPS;
  };
}
