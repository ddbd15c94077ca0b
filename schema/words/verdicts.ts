// The two verdicts of a result: what the servers said, and what to do with the address.

export const RESULTS = ['deliverable', 'undeliverable', 'catch-all', 'unknown'] as const;
export type Result = (typeof RESULTS)[number];

export const STATUSES = ['valid', 'risky', 'invalid', 'unknown'] as const;
export type Status = (typeof STATUSES)[number];
