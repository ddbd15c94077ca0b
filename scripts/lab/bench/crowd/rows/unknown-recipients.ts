import { asking } from '../scene/crowd.ts';
import type { Row } from './row.ts';

/**
 * Unknown recipients at a listed provider, through domains of the crowd's own. At the pace that a provider is asked at, the
 * 5,000 that may be named in an hour take six minutes.
 */
export const UNKNOWN_RECIPIENTS: Row = {
  name: '4',
  what: 'eight free accounts name unknown recipients at a listed provider (takes seven minutes)',
  behaviour: { at: 'provider', rcptAfterMs: 0, says: '550 5.1.1 User unknown\r\n' },
  begin: asking(
    { accounts: 8, are: 'free', requests: 2, addresses: 500, domains: 20 },
    ({ counts }) => counts.answered,
  ),
  gathersMs: 390_000,
  holds: 2_000,
  unit: 'unknown recipients named',
  p99Ms: 2_000,
};
