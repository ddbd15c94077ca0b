import { expect, test } from 'vitest';
import { addCosts, OpenRequests, readCost, readRequest } from './requests.ts';

const COST = { charged: 3, returned: 2, unsure: 1 };
const ENTRY = { index: 4, email: 'a@x.test', asked: 0 };
const REQUEST = { key: 'k-1', atMs: 1_700_000_000_000, entries: [ENTRY] };

test('costs are added one by one', () => {
  expect(addCosts(COST, { charged: 10, returned: 20, unsure: 30 })).toEqual({ charged: 13, returned: 22, unsure: 31 });
});

test('a request that has ended is not open any more, and its cost is spent', () => {
  const requests = new OpenRequests();
  requests.begin(REQUEST);
  requests.begin({ ...REQUEST, key: 'k-2' });
  requests.end('k-1', COST);
  expect(requests.left).toEqual({ open: [{ ...REQUEST, key: 'k-2' }], spent: COST });
});

test('what a journal has kept is read as it was, and other fields are left out', () => {
  expect(readRequest({ ...REQUEST, more: 1 })).toEqual(REQUEST);
  expect(readCost({ ...COST, ended: 'k-1' })).toEqual(COST);
});

test.each([
  ['nothing', null],
  ['a key that is no text', { ...REQUEST, key: 1 }],
  ['no time', { ...REQUEST, atMs: -1 }],
  ['no entries', { ...REQUEST, entries: [] }],
  ['entries that are none', { ...REQUEST, entries: 'none' }],
  ['one entry that is none', { ...REQUEST, entries: [ENTRY, null] }],
  ['an entry without a place', { ...REQUEST, entries: [{ ...ENTRY, index: null }] }],
  ['an entry without an address', { ...REQUEST, entries: [{ ...ENTRY, email: 7 }] }],
  ['an entry without a count', { ...REQUEST, entries: [{ ...ENTRY, asked: 0.5 }] }],
])('with %s it is no request', (_what, kept) => {
  expect(readRequest(kept)).toBe(null);
});

test.each([null, { ...COST, charged: -1 }, { ...COST, returned: '2' }, { ...COST, unsure: null }])(
  '%j is no cost',
  (kept) => {
    expect(readCost(kept)).toBe(null);
  },
);
