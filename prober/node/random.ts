import { randomInt } from 'node:crypto';
import type { Random } from '../engine/ports/ports.ts';

/** The widest range that randomInt takes. */
const STEPS = 2 ** 48 - 1;

/** Numbers from the system's CSPRNG, uniform in [0, 1). */
export const random: Random = () => randomInt(STEPS) / STEPS;
