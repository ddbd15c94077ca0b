import type { Account, Accounts, HostEntry, Statement, OrdersPage, Overview } from '../../../schema/admin.ts';

// What the stub tells operators: enough of everything that each of their views has something to show.

const AT = '2026-11-21T10:00:00Z';

const PROCESS = {
  version: '0.1.0',
  egress: ['192.0.2.10'],
  startedAt: AT,
  seenAt: AT,
  draining: false,
  healthy: true,
  cooling: 0,
  refusing: 0,
};

const HOSTS: readonly HostEntry[] = [
  {
    id: 'fra-1',
    state: 'active',
    createdAt: AT,
    instances: 1,
    healthy: true,
    why: null,
    jobs: 12,
    differs: [{ provider: 'yahoo', alone: 9, split: 1, of: 30 }],
    processes: [
      {
        ...PROCESS,
        jobs: 12,
        refusing: 2,
        refusals: [
          { provider: 'gmail', egress: 0, refused: 3, of: 1_240 },
          { provider: 'yahoo', egress: 0, refused: 41, of: 97 },
        ],
      },
    ],
    lastSeen: AT,
    lastRefusal: null,
  },
  {
    id: 'fra-2',
    state: 'draining',
    createdAt: AT,
    instances: 1,
    healthy: false,
    why: 'No canary of its list greeted it on port 25',
    jobs: 0,
    processes: [{ ...PROCESS, healthy: false, jobs: 0 }],
    lastSeen: AT,
    lastRefusal: null,
  },
];

const ACCOUNTS: Accounts = {
  accounts: [
    {
      id: 'acc_1',
      name: 'Shop',
      createdAt: AT,
      credits: 48_210,
      expiresAt: AT,
      keys: 2,
      people: 2,
      lastUse: '2026-11-20',
    },
    {
      id: 'acc_2',
      name: 'A name that is as long as it may be, of a company that says everything about itself in its name, Ltd.',
      createdAt: AT,
      credits: 0,
      expiresAt: null,
      keys: 0,
      people: 1,
      lastUse: null,
    },
  ],
  next: 'acc_2',
  missing: [],
};

const KEY = {
  id: 'key_A',
  accountId: 'acc_1',
  label: 'shop',
  madeBy: null,
  hint: '1234',
  createdAt: AT,
  lastUsed: null,
};

const ACCOUNT: Account = {
  id: 'acc_1',
  name: 'Shop',
  createdAt: AT,
  database: 0,
  credits: 48_210,
  balance: 48_210,
  expiresAt: AT,
  keys: [KEY, { ...KEY, id: 'key_B', madeBy: null, hint: '5678' }],
  people: [
    { email: 'ann@shop.example', role: 'owner', joinedAt: AT },
    { email: 'bob@shop.example', role: 'member', joinedAt: AT },
  ],
  lastUse: '2026-11-20',
  openHolds: { batches: 1, credits: 488 },
  refundDays: [{ day: '2026-11-20', batches: 2 }],
};

const LEDGER: Statement = {
  rows: [
    { at: AT, kind: 'return', ref: '0190163d-8694-739b-aea5-966c26f8ad91', delta: 31, balance: 48_210 },
    { at: AT, kind: 'hold', ref: '0190163d-8694-739b-aea5-966c26f8ad91', delta: -488, balance: 48_179 },
    { at: AT, kind: 'purchase', ref: 'ord_8sKq0Lr2vYw4Tz6B', delta: 48_667, balance: 48_667 },
  ],
  next: null,
};

const ORDER = {
  id: 'ord_8sKq0Lr2vYw4Tz6B',
  accountId: 'acc_1',
  credits: 50_000,
  amount: 17_500,
  currency: 'eur',
  createdAt: AT,
  paidAt: AT,
  checkoutId: 'cs_live_a1',
  paymentId: 'pi_3A',
};
const ORDERS: OrdersPage = {
  orders: [
    { ...ORDER, state: 'paid', refunded: 2_500, dispute: 'open' },
    { ...ORDER, id: 'ord_1', state: 'paid', refunded: 0, dispute: 'won' },
    {
      ...ORDER,
      id: 'ord_2',
      accountId: 'acc_2',
      state: 'open',
      paidAt: null,
      refunded: 0,
      dispute: null,
      paymentId: null,
    },
    {
      ...ORDER,
      id: 'ord_3',
      state: 'expired',
      paidAt: null,
      refunded: 0,
      dispute: null,
      checkoutId: null,
      paymentId: null,
    },
  ],
  next: null,
};

const minute = (n: number): Record<string, number> => ({
  calls: 40 + (n % 7) * 6,
  addresses: 900 + (n % 5) * 210,
  ms_200: 22,
  ms_500: 12 + (n % 7) * 5,
  ms_5000: 6 + (n % 7),
  status_valid: 560,
  status_risky: 140,
  status_invalid: 160,
  status_unknown: 40 + (n % 5) * 210,
  reason_none: 640,
  reason_accept_all: 120,
  reason_greylisting: 44,
  reason_timeout: 31,
  ...(n === 12 || n === 13 ? { faults: 9, fault_database: 9 } : {}),
});
const OVERVIEW: Overview = {
  minutes: Array.from({ length: 60 }, (_, n) => minute(n)),
  hours: Array.from({ length: 168 }, (_, n) => minute(n)),
  income: [
    { day: '2026-11-21', currency: 'eur', amount: 32_500, orders: 3 },
    { day: '2026-11-20', currency: 'eur', amount: 4_900, orders: 1 },
  ],
};

/** The answer of the operator's API at a path below its root; undefined if there is none. */
export function operatorsAnswer(path: string): unknown {
  const known: Readonly<Record<string, unknown>> = {
    '/hosts': { hosts: HOSTS },
    '/overview': OVERVIEW,
    '/accounts': ACCOUNTS,
    '/accounts/acc_1': ACCOUNT,
    '/accounts/acc_1/ledger': LEDGER,
    '/orders': ORDERS,
  };
  return known[path];
}
