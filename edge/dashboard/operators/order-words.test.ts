import { expect, it } from 'vitest';
import type { OrderOfAccount } from '../../../schema/admin.ts';
import { addressAtStripe, tagsOf } from './order-words.ts';

const ORDER: OrderOfAccount = {
  id: 'ord_1',
  accountId: 'acc_1',
  credits: 5_000,
  amount: 2_500,
  currency: 'eur',
  state: 'paid',
  createdAt: '2026-11-21T10:00:00Z',
  paidAt: '2026-11-21T10:05:00Z',
  refunded: 0,
  dispute: null,
  checkoutId: 'cs_live_a1',
  paymentId: 'pi_3A',
};
const words = (change: Partial<OrderOfAccount>) => tagsOf({ ...ORDER, ...change }).map((tag) => tag.words);

it('an order says how it stands and what became of its payment', () => {
  expect(words({})).toEqual(['Paid']);
  expect(words({ state: 'open' })).toEqual(['Not paid yet']);
  expect(words({ refunded: 500, dispute: 'lost' })).toEqual(['Paid', '€5.00 refunded', 'Dispute lost']);
});

it.each<[string, Partial<OrderOfAccount>, string | null]>([
  ['a payment', {}, 'https://dashboard.stripe.com/payments/pi_3A'],
  ['a payment of the test mode', { checkoutId: 'cs_test_a1' }, 'https://dashboard.stripe.com/test/payments/pi_3A'],
  ['an open checkout', { paymentId: null }, 'https://dashboard.stripe.com/search?query=cs_live_a1'],
  ['ids that lead elsewhere', { paymentId: '../../evil' }, 'https://dashboard.stripe.com/payments/..%2F..%2Fevil'],
  ['nothing that Stripe knows', { checkoutId: null, paymentId: null }, null],
])('%s has its address at Stripe', (_what, change, address) => {
  expect(addressAtStripe({ ...ORDER, ...change })).toBe(address);
});
