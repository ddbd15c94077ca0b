import { asking } from '../scene/crowd.ts';
import type { Row } from './row.ts';

/** Tenants of a shared address whose RCPT takes 20 s: all its places. */
export const SLOW_TENANT: Row = {
  name: '2',
  what: 'one account, tenants of a shared address answer after 20 s',
  behaviour: { at: 'shared', rcptAfterMs: 20_000, says: '550 5.1.1 User unknown\r\n' },
  begin: asking(
    { accounts: 1, are: 'bought', requests: 2, addresses: 250, domains: 20 },
    ({ counts }) => counts.connections,
  ),
  gathersMs: 6_000,
  holds: 8,
  unit: 'connections',
  p99Ms: 2_000,
};
