import { describe, expect, it } from 'vitest';
import { placeText, readPlace } from './place.ts';

describe('a place in a statement', () => {
  it.each([
    [{ at: 0, kind: 'purchase', refId: 'p1' }, '0.purchase.p1'],
    [{ at: 1_700_000_000_000, kind: 'return', refId: 'an.id.with-dots' }, '1700000000000.return.an.id.with-dots'],
  ] as const)('%j is written as %s, and read again', (place, text) => {
    expect(placeText(place)).toBe(text);
    expect(readPlace(text)).toEqual(place);
  });

  it.each([
    '',
    '1',
    '1.hold',
    '1.hold.',
    '.hold.b1',
    '1..b1',
    '1.gift.b1',
    'x.hold.b1',
    '-1.hold.b1',
    '1234567890123456.hold.b1',
  ])('%j is none', (text) => {
    expect(readPlace(text)).toBeNull();
  });
});
