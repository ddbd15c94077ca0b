import { describe, expect, it } from 'vitest';
import { placeText, readPlace } from './place.ts';

describe('a place in a statement', () => {
  it.each([
    [{ at: 0, kind: 'purchase', refId: 'p1', balance: 0, summed: 0 }, '0.purchase.0.0.p1'],
    [
      { at: 1_700_000_000_000, kind: 'return', refId: 'an.id.with-dots', balance: -7, summed: 12 },
      '1700000000000.return.-7.12.an.id.with-dots',
    ],
  ] as const)('%j is written as %s, and read again', (place, text) => {
    expect(placeText(place)).toBe(text);
    expect(readPlace(text)).toEqual(place);
  });

  it.each([
    '',
    '1',
    '1.hold',
    '1.hold.b1',
    '1.hold.5.0.',
    '.hold.5.0.b1',
    '1..5.0.b1',
    '1.gift.5.0.b1',
    'x.hold.5.0.b1',
    '-1.hold.5.0.b1',
    '1.hold.5.-1.b1',
    '1.hold.5e3.0.b1',
    '1234567890123456.hold.5.0.b1',
  ])('%j is none', (text) => {
    expect(readPlace(text)).toBeNull();
  });
});
