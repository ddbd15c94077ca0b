import type { Row } from './row.ts';

/** Tenants of a shared address whose RCPT takes 20 s: all its places. */
export const SLOW_TENANT: Row = {
  name: '2',
  what: 'one account, tenants of a shared address answer after 20 s',
  behaviour: { isShared: true, rcptAfterMs: 20_000, says: '550 5.1.1 User unknown\r\n' },
  accounts: 1,
  requests: 2,
  addresses: 250,
  domains: 20,
  holds: 8,
  p99Ms: 2_000,
};
