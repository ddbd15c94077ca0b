import type { Terms } from '../../openapi/terms.ts';

/** A deployment with the defaults. */
export const TERMS: Terms = {
  maxAddresses: 500,
  maxBodyBytes: 51_200,
  ratePerMinute: 60,
  charge: 'probed',
  keyPrefix: 'svc_live_',
  deadlineS: 90,
};
/** One that decided otherwise. */
export const OTHER: Terms = { ...TERMS, charge: 'entries', ratePerMinute: 0 };
