import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Capacity, needsOf, Room } from './capacity.ts';

describe('Room', () => {
  it('gives a single account four fifths, and the next still finds some', () => {
    const room = new Room();
    while (room.lacks('greedy', 10, 1_000) === null) room.reserve('greedy', 10);
    expect(room.used).toBe(800);
    expect(room.lacks('greedy', 10, 1_000)).toBe('share');
    expect(room.lacks('other', 200, 1_000)).toBeNull();
    expect(room.lacks('other', 201, 1_000)).toBe('full');
  });

  it('gives one that asks for more than there is all of it, while nobody else has any', () => {
    const room = new Room();
    expect(room.lacks('a', 500, 100)).toBeNull();
    room.reserve('a', 500);
    expect(room.lacks('b', 1, 100)).toBe('full');
    room.release('a', 500);
    expect(room.lacks('b', 500, 100)).toBeNull();
  });

  it('counts an account with what it has not given back', () => {
    const room = new Room();
    room.reserve('a', 400);
    room.release('a', 100);
    expect([500, 501].map((amount) => room.lacks('a', amount, 1_000))).toEqual([null, 'share']);
    room.release('a', 299);
    expect([room.lacks('a', 4, 6), room.lacks('b', 4, 6)]).toEqual(['share', null]);
    room.reserve('b', 1);
    room.release('a', 1);
    expect(room.lacks('a', 4, 6)).toBeNull();
  });

  it('leaves room for an account that has none, whatever one other does', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 500 })), { maxLength: 300 }), (steps) => {
        const room = new Room();
        const taken: number[] = [];
        for (const [takes, amount] of steps) {
          if (!takes) room.release('greedy', taken.shift() ?? 0);
          else if (room.lacks('greedy', amount, 20_000) === null) {
            room.reserve('greedy', amount);
            taken.push(amount);
          }
          expect(room.used).toBe(taken.reduce((sum, one) => sum + one, 0));
          expect(room.lacks('other', 500, 20_000)).toBeNull();
        }
      }),
    );
  });
});

const batch = (batchId: string, n: number, length: number, account?: string) => ({
  batchId,
  addresses: Array.from({ length: n }, () => ['x', 'd'.repeat(length)] as const),
  ...(account === undefined ? {} : { account }),
});

describe('needsOf', () => {
  it('is the room of a batch, of each of its addresses, and of their text; without an account, as one of its own', () => {
    const addresses = [['ab', 'c.test']] as const;
    expect(needsOf({ batchId: 'b', addresses })).toEqual({ account: 'b', addresses: 1, bytes: 12_148 });
    expect(needsOf({ batchId: 'b', account: 'a', addresses: [] })).toEqual({
      account: 'a',
      addresses: 0,
      bytes: 12_000,
    });
  });
});

describe('Capacity', () => {
  it('lets in 400 ordinary batches of 500, or 100 of the worst', () => {
    for (const [count, length] of [
      [400, 20],
      [100, 316],
    ] as const) {
      const capacity = new Capacity();
      for (let n = 0; n < count; n += 1) {
        const needs = needsOf(batch(`b${n}`, 500, length));
        expect(capacity.lacks(needs, 1_000_000, 0)).toBeNull();
        capacity.reserve(needs);
      }
    }
  });

  it('never lets in more than 72 MB, unread answers included', () => {
    const capacity = new Capacity();
    let bytes = 0;
    for (let n = 0; n < 10_000; n += 1) {
      const needs = needsOf(batch(`b${n}`, 500, 316));
      if (capacity.lacks(needs, 0, 10_000_000) !== null) break;
      capacity.reserve(needs);
      bytes += needs.bytes;
    }
    expect(bytes).toBeGreaterThan(60_000_000);
    expect(bytes).toBeLessThanOrEqual(62_000_000);
  });

  it('goes by the slots of the hosts, unless none is connected', () => {
    const capacity = new Capacity();
    capacity.reserve(needsOf(batch('a', 500, 5)));
    expect(capacity.lacks(needsOf(batch('b', 500, 5)), 1_000, 0)).toBeNull();
    expect(capacity.lacks(needsOf(batch('b', 500, 5)), 999, 0)).toBe('full');
    expect(capacity.lacks(needsOf(batch('b', 500, 5)), 0, 0)).toBeNull();
  });

  it('has again what an ended batch gives back', () => {
    const capacity = new Capacity();
    const needs = needsOf(batch('a', 500, 5, 'account'));
    capacity.reserve(needs);
    capacity.release(needs);
    expect(capacity.lacks(needsOf(batch('b', 500, 5)), 10, 0)).toBeNull();
  });
});
