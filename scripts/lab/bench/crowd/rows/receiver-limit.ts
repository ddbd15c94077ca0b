import { asking } from '../scene/crowd.ts';
import type { Row } from './row.ts';

/** A receiver that accepts 30 connections a minute, and an account that uses them up. */
export const RECEIVER_LIMIT: Row = {
  name: '6',
  what: 'one account fills a receiver that accepts 30 connections a minute',
  behaviour: { at: 'shared', rcptAfterMs: 0, says: '550 5.1.1 User unknown\r\n', perMinute: 30 },
  begin: asking(
    { accounts: 1, are: 'bought', requests: 8, addresses: 100, domains: 100 },
    ({ counts }) => counts.putOff,
  ),
  gathersMs: 6_000,
  holds: 1,
  unit: 'connections put off',
  p99Ms: 25_000,
  bWaitsS: 20,
};
