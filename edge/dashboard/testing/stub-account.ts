import type {
  CallLog,
  Me,
  NewPageKey,
  OrderEntry,
  PageBalance,
  PageKeyEntry,
  PageStatement,
  People,
  SessionEntry,
  PasskeyEntry,
  Usage,
} from '../../../schema/pages-api.ts';

// An account as the stub tells of it: enough of everything that each view has something to show.

const DAY_MS = 86_400_000;
const ago = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();
const day = (days: number): string => ago(days).slice(0, 10);

const ANN = 'ann@shop.example';
const LARGER = { credits: 50_000, amount: 17_500, currency: 'EUR' };
const SMALLER = { credits: 5_000, amount: 2_500, currency: 'EUR' };

const FEATURES = {
  buying: {
    packs: [
      { id: 'small', ...SMALLER },
      { id: 'middle', ...LARGER },
      { id: 'large', credits: 500_000, amount: 95_000, currency: 'EUR' },
    ],
  },
  welcomeCredits: 100,
  maxAddresses: 500,
  operator: {
    name: 'Example Mail Ltd, Dublin',
    privacyUrl: 'https://example.com/privacy',
    termsUrl: 'https://example.com/terms',
    statusUrl: 'https://status.example.com/',
    contactEmail: 'help@example.com',
  },
} as const;

export const SIGNED_OUT: Me = { signedIn: false, features: FEATURES };
export const SIGNED_IN: Me = {
  signedIn: true,
  features: FEATURES,
  person: { id: 'p_1', email: ANN },
  account: { id: 'acc_1', name: 'Shop', role: 'owner', lowBalanceAt: 1_000 },
  accounts: [
    { id: 'acc_1', name: 'Shop', role: 'owner' },
    { id: 'acc_2', name: 'The other shop', role: 'member' },
  ],
};

const OWN = { madeBy: ANN, mayDelete: true };

export const KEYS: readonly PageKeyEntry[] = [
  {
    ...OWN,
    id: 'key_1',
    kind: 'live',
    label: 'Shop, production',
    hint: 'k3Xq',
    createdAt: ago(200),
    lastUsed: day(0),
    caps: { dayCap: 5_000, monthCap: 50_000, spentToday: 4_112, spentThisMonth: 31_890 },
  },
  {
    ...OWN,
    id: 'key_2',
    kind: 'live',
    label: 'Newsletter',
    hint: '9fQa',
    createdAt: ago(40),
    lastUsed: day(3),
    caps: { dayCap: null, monthCap: null, spentToday: null, spentThisMonth: null },
  },
  { ...OWN, id: 'key_3', kind: 'test', label: 'CI', hint: 'Zz81', createdAt: ago(12), lastUsed: null },
  {
    ...OWN,
    id: 'key_4',
    kind: 'form',
    label: 'Sign-up form',
    hint: '2Ru4',
    createdAt: ago(3),
    lastUsed: day(0),
    form: {
      origins: ['https://shop.example', 'http://localhost:3000'],
      creditsPerDay: 500,
      perMinute: 6,
      perHour: 30,
      rejectsDisposable: false,
      key: 'svc_form_8sKq0Lr2vYw4Tz6Bn1Mx3Cf5Dg7Hj9Pa0Qe2Ru4',
    },
  },
];

export function newKey(kind: PageKeyEntry['kind'], label: string): NewPageKey {
  const key = `svc_${kind}_8sKq0Lr2vYw4Tz6Bn1Mx3Cf5Dg7Hj9Pa0Qe2Ru4`;
  return { ...OWN, id: `key_${Date.now()}`, kind, label, hint: key.slice(-4), createdAt: ago(0), lastUsed: null, key };
}

export function balanceOf(credits: number): PageBalance {
  return { credits, expiresAt: ago(-300), held: { batches: 0, credits: 0 }, noGift: null };
}

type Row = PageStatement['rows'][number];

/** The two rows of a settled batch, its return above its hold. */
function batchRows(
  ref: string,
  returnedAt: string,
  heldAt: string,
  balance: number,
  batch: Row['batch'],
): readonly Row[] {
  const { held = 0, returned } = batch ?? {};
  return [
    { at: returnedAt, kind: 'return', ref, delta: returned ?? 0, balance, batch },
    { at: heldAt, kind: 'hold', ref, delta: -held, balance: balance - (returned ?? 0), batch },
  ];
}

/** A list of 4,000 addresses: its requests two days ago, with two rows an hour apart each, newest first. */
const LIST_ROWS = Array.from({ length: 8 }, (_, index) => {
  const at = (hour: number): string => `${day(2)}T${String(hour - 2 * index).padStart(2, '0')}:00:00Z`;
  const batch = { addresses: 500, held: 500, returned: 20, state: 'settled', list: 'a list' } as const;
  return batchRows(`list_${index}`, at(23), at(22), 48_667, batch);
}).flat();

export const STATEMENT: PageStatement = {
  rows: [
    ...batchRows('b_3', ago(0), ago(0), 48_210, {
      addresses: 500,
      held: 488,
      returned: 31,
      state: 'settled',
      list: null,
    }),
    ...batchRows('b_2', ago(1), ago(1), 48_667, {
      addresses: 120,
      held: 120,
      returned: 120,
      state: 'returned',
      list: null,
    }),
    ...LIST_ROWS,
    { at: ago(12), kind: 'hold', ref: day(12), delta: -1_333, balance: 48_667, batch: null },
    { at: ago(20), kind: 'purchase', ref: 'ord_77', delta: 50_000, balance: 50_100, batch: null },
    { at: ago(21), kind: 'gift', ref: 'welcome', delta: 100, balance: 100, batch: null },
  ],
  next: null,
};

export const USAGE: Usage = {
  rows: Array.from({ length: 24 }, (_, index) => ({
    day: day(index),
    key: ['page', 'key_1', 'key_2'][index % 3] ?? 'page',
    batches: 3 + (index % 5),
    valid: 40 + ((index * 37) % 90),
    risky: 8 + ((index * 11) % 20),
    invalid: 5 + ((index * 7) % 17),
    unknown: 2 + (index % 9),
    charged: 70 + ((index * 31) % 80),
    returned: index % 4,
  })),
  labels: { key_1: 'Shop, production', key_2: 'Newsletter' },
};

const asked = { key: 'key_1', hint: null, code: null, entries: 500, charged: 462, returned: 26, ms: 8_412, times: 1 };
const refused = { ...asked, charged: 0, returned: 0, ms: 9 };
/** An id for each row. */
const requestId = (n: number): string => `019ac5f0-7d3e-7a4b-9c21-5f0e8d1c2a${n}0`;

export const CALLS: CallLog = {
  rows: [
    { ...asked, at: ago(0), requestId: requestId(1), status: null, charged: null, returned: null, ms: null },
    { ...asked, at: ago(0), requestId: requestId(2), status: 200 },
    { ...refused, at: ago(0.1), requestId: requestId(3), status: 402, code: 'NO_CREDITS' },
    { ...asked, at: ago(1), requestId: requestId(4), key: 'key_4', status: 200, entries: 1, charged: 1, returned: 0 },
    {
      ...refused,
      at: ago(2),
      requestId: requestId(5),
      status: 429,
      code: 'RATE_LIMITED',
      entries: null,
      times: 1_312,
    },
    {
      ...refused,
      at: ago(3),
      requestId: requestId(6),
      key: null,
      hint: 'x7Qa',
      status: 401,
      code: 'UNAUTHORIZED',
    },
    { ...asked, at: ago(4), requestId: requestId(7), key: 'page', status: 499, entries: 3, charged: 0, returned: 3 },
  ],
  next: null,
  labels: { key_1: 'Shop, production', key_2: 'Newsletter', key_3: 'CI', key_4: 'Sign-up form' },
};

/** At Stripe, for each order. */
export const PAPERS = {
  payUrl: 'https://cashier.test/pay',
  invoiceUrl: 'https://cashier.test/invoice',
  receiptUrl: 'https://cashier.test/receipt',
};

export const ORDERS: readonly OrderEntry[] = [
  { ...LARGER, id: 'ord_77', state: 'paid', createdAt: ago(20), orderedBy: ANN },
  { ...SMALLER, id: 'ord_76', state: 'open', createdAt: ago(33), orderedBy: null },
];

export const PEOPLE: People = {
  people: [
    { id: 'p_1', email: ANN, role: 'owner', joinedAt: ago(300) },
    { id: 'p_2', email: 'bob@shop.example', role: 'member', joinedAt: ago(90) },
  ],
  invitations: [
    { id: 'inv_1', email: 'cleo@shop.example', role: 'member', invitedBy: ANN, createdAt: ago(1), expiresAt: ago(-6) },
  ],
};

export const SESSIONS: readonly SessionEntry[] = [
  { id: 's_1', current: true, lastUsed: ago(0), by: 'link', device: 'Firefox on Linux' },
  { id: 's_2', current: false, lastUsed: ago(3), by: 'passkey', device: 'Safari on iPhone' },
];

export const PASSKEYS: readonly PasskeyEntry[] = [
  { id: 'pk_1', label: 'Work laptop', createdAt: ago(60), lastUsed: ago(3) },
];
