import type { Status } from '../ops/metrics/metrics.ts';

/** The status of a healthy host without work. */
export const IDLE_STATUS: ReturnType<Status> = {
  draining: false,
  healthy: true,
  checked: true,
  failing: [],
  jobs: 0,
  cooling: 0,
  refusals: [],
  egressTroubles: [],
  links: [true],
  clockAheadS: 0,
  unclear: [],
};
