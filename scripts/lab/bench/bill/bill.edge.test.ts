import { expect, it } from 'vitest';
import { measureBill } from './measure.ts';

it('a call of one address reads at most 19 rows of D1 and writes 9 in all, 14 if it is refunded', async () => {
  const { calls, minute } = await measureBill();
  const [charged, chargedClosed, refunded, refundedClosed] = calls;
  expect(charged?.read).toBeLessThanOrEqual(19);
  expect(refunded?.read).toBeLessThanOrEqual(33);
  // On top come the sums and the usage of a day: a few rows, however many calls there are.
  const few = 0.5;
  expect((charged?.written ?? 99) + (chargedClosed?.written ?? 99)).toBeLessThan(9 + few);
  expect((refunded?.written ?? 99) + (refundedClosed?.written ?? 99)).toBeLessThan(14 + few);
  for (const closed of [chargedClosed, refundedClosed]) expect(closed?.read).toBeLessThanOrEqual(24);
  expect(minute.read).toBeLessThanOrEqual(40_000);
  expect(minute.written).toBeLessThanOrEqual(5);
});
