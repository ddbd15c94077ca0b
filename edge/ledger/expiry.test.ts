import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expiryOf } from './expiry.ts';

describe('expiryOf', () => {
  it.each([
    ['2026-11-20T10:20:30.456Z', '2027-11-20T10:20:30.456Z'],
    ['2027-02-28T23:59:59.999Z', '2028-02-28T23:59:59.999Z'],
    ['2028-02-28T00:00:00.000Z', '2029-02-28T00:00:00.000Z'],
    ['2028-02-29T12:00:00.000Z', '2029-02-28T12:00:00.000Z'],
    ['2026-12-31T23:59:59.999Z', '2027-12-31T23:59:59.999Z'],
    ['2099-02-28T00:00:00.000Z', '2100-02-28T00:00:00.000Z'],
  ])('credits bought at %s last until %s', (bought, expires) => {
    expect(new Date(expiryOf(Date.parse(bought))).toISOString()).toBe(expires);
  });

  it('keeps month and time of day, and the day unless it is 29 February', () => {
    const day = fc.date({ min: new Date('2000-01-01'), max: new Date('2200-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(day, (bought) => {
        const expires = new Date(expiryOf(bought.getTime()));
        expect(expires.getUTCFullYear()).toBe(bought.getUTCFullYear() + 1);
        expect(expires.getUTCMonth()).toBe(bought.getUTCMonth());
        expect(expires.getTime() % 86_400_000).toBe(bought.getTime() % 86_400_000);
        const leapDay = bought.getUTCMonth() === 1 && bought.getUTCDate() === 29;
        expect(expires.getUTCDate()).toBe(leapDay ? 28 : bought.getUTCDate());
      }),
    );
  });
});
