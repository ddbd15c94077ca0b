import { asking } from '../scene/crowd.ts';
import type { Row } from './row.ts';

/** All that a host can have under way: 20,000 addresses. */
const ROW = { gathersMs: 6_000, unit: 'addresses under way', p99Ms: 5_000 } as const;

export const FULL_FLEET: readonly Row[] = [
  {
    ...ROW,
    name: '3',
    what: 'six free accounts, their servers never greet',
    behaviour: { at: 'own', isMute: true, rcptAfterMs: 0, says: '' },
    begin: asking({ accounts: 6, are: 'free', requests: 20, addresses: 500, domains: 20 }, (_, underWay) => underWay),
    holds: 5_000,
  },
  {
    ...ROW,
    name: '3x40',
    what: 'forty accounts that bought, a full batch each, their servers answer after 25 s',
    behaviour: { at: 'own', rcptAfterMs: 25_000, says: '550 5.1.1 User unknown\r\n' },
    begin: asking({ accounts: 40, are: 'bought', requests: 1, addresses: 500, domains: 20 }, (_, underWay) => underWay),
    holds: 10_000,
  },
];
