import type { OrderOfAccount } from '../../../schema/admin.ts';
import { money } from '../words/numbers.ts';

export type Tag = { readonly tone: 'valid' | 'risky' | 'invalid' | 'unknown'; readonly words: string };

const STATES: Readonly<Record<OrderOfAccount['state'], Tag>> = {
  open: { tone: 'unknown', words: 'Not paid yet' },
  paid: { tone: 'valid', words: 'Paid' },
  expired: { tone: 'unknown', words: 'Not paid in time' },
};
const DISPUTES: Readonly<Record<NonNullable<OrderOfAccount['dispute']>, Tag>> = {
  open: { tone: 'invalid', words: 'Disputed' },
  won: { tone: 'valid', words: 'Dispute won' },
  lost: { tone: 'invalid', words: 'Dispute lost' },
};

/** How an order stands, and what became of its payment. Pure. */
export function tagsOf({ state, refunded, currency, dispute }: OrderOfAccount): readonly Tag[] {
  return [
    STATES[state],
    ...(refunded > 0 ? [{ tone: 'risky', words: `${money(refunded, currency)} refunded` } as const] : []),
    ...(dispute === null ? [] : [DISPUTES[dispute]]),
  ];
}

/** Where Stripe's dashboard shows the payment, or the checkout before it is paid; null before Stripe heard of it. Pure. */
export function addressAtStripe({ checkoutId, paymentId }: OrderOfAccount): string | null {
  if (checkoutId === null) return null;
  const root = `https://dashboard.stripe.com${checkoutId.startsWith('cs_test_') ? '/test' : ''}`;
  return paymentId === null
    ? `${root}/search?query=${encodeURIComponent(checkoutId)}`
    : `${root}/payments/${encodeURIComponent(paymentId)}`;
}
