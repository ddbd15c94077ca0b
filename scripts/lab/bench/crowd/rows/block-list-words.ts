import { asking } from '../scene/crowd.ts';
import type { Row } from './row.ts';

/** Tenants of two accounts, three domains each, that speak of a block list. */
export const BLOCK_LIST_WORDS: Row = {
  name: '5',
  what: 'two accounts, three tenants each speak of a block list',
  behaviour: { at: 'shared', rcptAfterMs: 0, says: '550 5.7.1 blocked using spamhaus\r\n' },
  begin: asking({ accounts: 2, are: 'bought', requests: 1, addresses: 3, domains: 3 }, ({ counts }) => counts.answered),
  gathersMs: 6_000,
  holds: 6,
  unit: 'refusals with these words',
  p99Ms: 2_000,
};
