import { randomFillSync } from 'node:crypto';
import type { Random } from '../engine/ports/ports.ts';

/** Drawn together: drawn singly each costs a microsecond, and a made-up mailbox takes eighteen. */
const drawn = new Uint32Array(1_024);
let used = drawn.length;

/** Numbers from the system's CSPRNG, uniform in [0, 1), of 48 bits. */
export const random: Random = () => (draw() * 2 ** 16 + (draw() >>> 16)) / 2 ** 48;

function draw(): number {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  const number = drawn[used] ?? 0;
  used += 1;
  return number;
}
