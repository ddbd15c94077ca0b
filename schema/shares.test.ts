import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AccountClass, FREE_PART, type Holder, lackOf, SharedRoom } from './shares.ts';

const bought = (account: string): Holder => ({ account, class: 'bought' });
const free = (account: string): Holder => ({ account, class: 'free' });

/** Takes pieces until the holder lacks one. @returns how many it got */
function takeAll(room: SharedRoom, holder: Holder, size: number, amount = 1): number {
  let got = 0;
  for (; room.lacks(holder, amount, size) === null; got += 1) room.take(holder, amount);
  return got;
}

describe('lackOf', () => {
  const rows: readonly [
    held: [size: number, total: number, own: number, ofFree: number, boughtIsHere: boolean],
    accountClass: AccountClass,
    amount: number,
    lack: 'full' | 'share' | null,
  ][] = [
    [[10, 0, 0, 0, false], 'free', 10, null],
    [[10, 0, 0, 0, true], 'free', 11, null],
    [[10, 4, 4, 0, true], 'bought', 1, null],
    [[10, 5, 5, 0, true], 'bought', 1, 'share'],
    [[10, 5, 0, 0, true], 'bought', 5, null],
    [[10, 5, 0, 0, true], 'bought', 6, 'full'],
    [[10, 10, 10, 0, true], 'bought', 1, 'full'],
    [[10, 5, 0, 5, false], 'free', 5, null],
    [[10, 5, 0, 5, true], 'free', 1, 'share'],
    [[10, 5, 0, 5, true], 'bought', 5, null],
    [[10, 4, 0, 3, true], 'free', 2, null],
    [[10, 4, 1, 3, true], 'free', 2, 'share'],
    [[1, 0, 0, 0, true], 'free', 1, null],
  ];
  it.each(rows)('of %j to a %s account that asks for %i is %s', (held, accountClass, amount, lack) => {
    const [size, total, own, ofFree, boughtIsHere] = held;
    expect(lackOf({ size, total, own, ofFree, boughtIsHere }, accountClass, amount)).toBe(lack);
  });
});

describe('SharedRoom', () => {
  it('gives one account alone half, and two a third each', () => {
    const room = new SharedRoom('fleet addresses');
    expect(takeAll(room, free('a'), 900)).toBe(450);
    room.giveBack(free('a'), 150);
    expect(takeAll(room, free('b'), 900)).toBe(300);
    expect(room.lacks(free('a'), 1, 900)).toBe('share');
  });

  it('keeps its part from free accounts only while one that bought holds or waits for some', () => {
    const room = new SharedRoom('fleet addresses');
    expect(takeAll(room, free('a'), 100)).toBe(50);
    expect(room.lacks(free('b'), 1, 100, true)).toBe('share');
    expect(room.lacks(free('b'), 1, 100)).toBeNull();
    room.take(bought('c'), 1);
    expect(room.lacks(free('b'), 1, 100)).toBe('share');
    room.giveBack(bought('c'), 1);
    expect(room.lacks(free('b'), 1, 100)).toBeNull();
  });

  it('counts what an account that has bought meanwhile gives back by what it was when it took it', () => {
    const room = new SharedRoom('fleet addresses');
    room.take(free('a'), 3);
    room.take(bought('a'), 2);
    room.giveBack(free('a'), 3);
    expect([room.heldBy(bought('a')), room.total]).toEqual([2, 2]);
    expect(room.lacks(free('b'), 6, 10)).toBe('share');
    room.giveBack(bought('a'), 2);
    expect([room.accounts, room.total]).toEqual([0, 0]);
  });

  const SIZE = 1_000;
  type Piece = { readonly holder: Holder; readonly amount: number };
  const holders = fc.oneof(
    fc.integer({ min: 1, max: 40 }).map((n) => free(`f${n}`)),
    fc.integer({ min: 1, max: 3 }).map((n) => bought(`b${n}`)),
  );
  const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), holders, fc.integer({ min: 1, max: 300 })), {
    maxLength: 300,
  });

  /** Takes what is allowed; gives back the oldest piece now and then. */
  function play(room: SharedRoom, all: Iterable<[number, Holder, number]>, after: (took: Piece | null) => void): void {
    const pieces: Piece[] = [];
    for (const [kind, holder, amount] of all) {
      const back = kind === 0 ? pieces.shift() : undefined;
      if (back !== undefined) room.giveBack(back.holder, back.amount);
      const took = kind !== 0 && room.lacks(holder, amount, SIZE) === null ? { holder, amount } : null;
      if (took !== null) {
        room.take(holder, amount);
        pieces.push(took);
      }
      expect(room.total).toBe(pieces.reduce((sum, one) => sum + one.amount, 0));
      after(took);
    }
  }

  it('is never overfull, and whoever took last left as much as it held before', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const room = new SharedRoom('fleet addresses');
        play(room, all, (took) => {
          expect(room.total).toBeLessThanOrEqual(SIZE);
          if (took === null || room.total === took.amount) return;
          expect(room.heldBy(took.holder) - took.amount).toBeLessThanOrEqual(SIZE - room.total);
        });
      }),
    );
  });

  it('leaves their part to accounts that bought, however many free accounts there are, while one is here', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const room = new SharedRoom('fleet addresses');
        room.take(bought('b1'), 1);
        let ofFree = 0;
        const pieces: Piece[] = [];
        for (const [kind, holder, amount] of all) {
          if (holder.class !== 'free') continue;
          const back = kind === 0 ? pieces.shift() : undefined;
          if (back !== undefined) {
            room.giveBack(back.holder, back.amount);
            ofFree -= back.amount;
          } else if (room.lacks(holder, amount, SIZE) === null) {
            room.take(holder, amount);
            pieces.push({ holder, amount });
            ofFree += amount;
          }
          expect(ofFree).toBeLessThanOrEqual(SIZE * FREE_PART);
          expect(room.lacks(bought('newcomer'), SIZE * (1 - FREE_PART) - 1, SIZE)).toBeNull();
        }
      }),
    );
  });

  it('leaves a newcomer a quarter, whatever one account does', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const room = new SharedRoom('fleet addresses');
        const one = all.map(([kind, , amount]): [number, Holder, number] => [kind, free('greedy'), amount]);
        play(room, one, () => expect(room.lacks(free('newcomer'), SIZE / 4, SIZE)).toBeNull());
      }),
    );
  });
});
