import { asking } from '../scene/crowd.ts';
import type { Row } from './row.ts';

/** Servers of the crowd's own that answer RCPT after 20 s: a connection to each of the twenty domains that a request asks at a time. */
const ROW = {
  behaviour: { at: 'own', rcptAfterMs: 20_000, says: '550 5.1.1 User unknown\r\n' },
  gathersMs: 6_000,
  unit: 'connections',
} as const;
const OF_EACH = { are: 'bought', addresses: 500, domains: 20 } as const;

export const SLOW_SERVERS: readonly Row[] = [
  {
    ...ROW,
    name: '1',
    what: 'one account, its own servers answer after 20 s',
    begin: asking({ ...OF_EACH, accounts: 1, requests: 20 }, ({ counts }) => counts.connections),
    holds: 380,
    p99Ms: 1_000,
  },
  {
    ...ROW,
    name: '1x20',
    what: 'twenty accounts of the same',
    begin: asking({ ...OF_EACH, accounts: 20, requests: 2 }, ({ counts }) => counts.connections),
    // The fuller the fleet is, the less of it one account gets: some of the forty requests are refused.
    holds: 600,
    p99Ms: 2_000,
  },
];
