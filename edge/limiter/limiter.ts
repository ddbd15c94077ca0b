import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../env.ts';

/** One per API key: counts its calls in a fixed window. */
export class Limiter extends DurableObject<Env> {}
