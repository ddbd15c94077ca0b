import type { Status } from '../ops/metrics/metrics.ts';

/** What a healthy host without work says of itself. */
export const IDLE_STATUS: ReturnType<Status> = {
  draining: false,
  healthy: true,
  checked: true,
  failing: [],
  jobs: 0,
  cooling: 0,
  refusing: 0,
  refusals: [],
  links: [true],
  clockAheadS: 0,
};
