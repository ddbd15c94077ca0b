/** What a healthy host without work says of itself. */
export const IDLE_STATUS = {
  draining: false,
  healthy: true,
  checked: true,
  failing: [],
  jobs: 0,
  cooling: 0,
  refusing: 0,
  links: [true],
  clockAheadS: 0,
} as const;
