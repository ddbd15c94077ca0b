// The fleet alone, as `fleet-only.ts`, with the waiting times that it has live: for benches.

export { Fleet } from '../../fleet/fleet.ts';
export { Limiter } from '../../limiter/limiter.ts';
export { default } from './fleet-only.ts';
