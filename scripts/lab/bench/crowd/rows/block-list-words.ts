import type { Row } from './row.ts';

/** Tenants of two accounts, three domains each, that speak of a block list. */
export const BLOCK_LIST_WORDS: Row = {
  name: '5',
  what: 'two accounts, three tenants each speak of a block list',
  behaviour: { isShared: true, rcptAfterMs: 0, says: '550 5.7.1 blocked using spamhaus\r\n' },
  accounts: 2,
  requests: 1,
  addresses: 3,
  domains: 3,
  holds: 0,
  p99Ms: 2_000,
};
