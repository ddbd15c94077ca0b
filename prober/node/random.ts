import { closeSync, openSync, readSync } from 'node:fs';
import type { Random } from '../engine/ports/ports.ts';

/** Web Crypto reads the same generator, and to load it takes 3 ms and 1.6 MiB: it is for systems without this file. */
const GENERATOR = '/dev/urandom';
/** Drawn together: drawn singly each costs a microsecond, and a made-up mailbox takes eighteen. */
const drawn = new Uint32Array(1_024);
let used = drawn.length;

/** Numbers from the system's CSPRNG, uniform in [0, 1), of 48 bits. */
export const random: Random = () => (draw() * 2 ** 16 + (draw() >>> 16)) / 2 ** 48;

function draw(): number {
  if (used === drawn.length) {
    refill();
    used = 0;
  }
  const number = drawn[used] ?? 0;
  used += 1;
  return number;
}

function refill(): void {
  const generator = openGenerator();
  if (generator === null) return void crypto.getRandomValues(drawn);
  try {
    const bytes = readSync(generator, drawn);
    if (bytes !== drawn.byteLength) throw new Error(`${GENERATOR} gave ${bytes} bytes`);
  } finally {
    closeSync(generator);
  }
}

function openGenerator(): number | null {
  try {
    return openSync(GENERATOR, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
