import { asking } from '../scene/crowd.ts';
import type { Row } from './row.ts';

const ROW = {
  behaviour: { at: 'shared', rcptAfterMs: 0, says: '550 5.1.1 User unknown\r\n', perMinute: 30 },
  begin: asking(
    { accounts: 1, are: 'bought', requests: 8, addresses: 100, domains: 100 },
    ({ counts }) => counts.putOff,
  ),
  holds: 1,
  unit: 'connections put off',
  p99Ms: 25_000,
} satisfies Omit<Row, 'name' | 'what' | 'gathersMs'>;

/** A receiver that accepts 30 connections a minute, and an account that uses them up: in that minute nobody gets in. */
export const RECEIVER_LIMIT: readonly Row[] = [
  {
    ...ROW,
    name: '6',
    what: 'one account fills a receiver that accepts 30 connections a minute',
    gathersMs: 6_000,
    bWaitsS: 20,
  },
  { ...ROW, name: '6next', what: 'the same, in the next minute', gathersMs: 66_000 },
];
