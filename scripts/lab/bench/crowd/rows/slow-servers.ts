import type { Row } from './row.ts';

const SLOW = { isShared: false, rcptAfterMs: 20_000, says: '550 5.1.1 User unknown\r\n' } as const;
const ROW = { behaviour: SLOW, addresses: 500, domains: 20 } as const;

/** Servers of the crowd's own that answer RCPT after 20 s: a connection to each of the twenty domains that a request asks at a time. */
export const SLOW_SERVERS: readonly Row[] = [
  {
    ...ROW,
    name: '1',
    what: 'one account, its own servers answer after 20 s',
    accounts: 1,
    requests: 20,
    holds: 380,
    p99Ms: 1_000,
  },
  { ...ROW, name: '1x20', what: 'twenty accounts of the same', accounts: 20, requests: 2, holds: 740, p99Ms: 2_000 },
];
