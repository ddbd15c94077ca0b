import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AccountClass, dwindlingPartOf, FREE_PART, type Holder, lackOf, SharedRoom } from './shares.ts';

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
    [[10, 5, 0, 0, true], 'bought', 1, null],
    [[10, 8, 1, 0, true], 'bought', 1, null],
    [[10, 8, 2, 0, true], 'bought', 1, 'share'],
    [[10, 5, 0, 0, true], 'bought', 6, 'full'],
    [[10, 10, 10, 0, true], 'bought', 1, 'full'],
    [[10, 5, 0, 5, false], 'free', 1, null],
    [[10, 5, 0, 5, true], 'free', 1, 'share'],
    [[10, 5, 0, 5, true], 'bought', 1, null],
    [[10, 4, 0, 3, true], 'free', 1, null],
    [[10, 4, 1, 3, true], 'free', 1, null],
    [[10, 5, 2, 4, true], 'free', 1, 'share'],
    [[1, 0, 0, 0, true], 'free', 1, null],
  ];
  it.each(rows)('of %j to a %s account that asks for %i is %s', (held, accountClass, amount, lack) => {
    const [size, total, own, ofFree, boughtIsHere] = held;
    expect(lackOf({ size, total, own, ofFree, boughtIsHere }, accountClass, amount)).toBe(lack);
  });

  it.each<readonly [size: number, left: number, most: number]>([
    [20_000, 20_000, 10_000],
    [20_000, 10_000, 2_500],
    [20_000, 4_000, 400],
    [20_000, 150, 1],
    [1_000, 1, 1],
  ])('of %i of which others leave %i an account may hold %i of what nobody waits for', (size, left, most) => {
    const held = { size, total: size - left, own: 0, ofFree: 0, boughtIsHere: true };
    const lacks = (amount: number) => lackOf(held, 'bought', amount, dwindlingPartOf);
    if (left < size) expect(lacks(most)).toBeNull();
    if (left < size && most < left) expect(lacks(most + 1)).toBe('share');
    expect(Math.max(1, Math.floor(dwindlingPartOf(left, size)))).toBe(most);
  });
});

describe('SharedRoom', () => {
  it('gives one account alone half, and the next one an eighth', () => {
    const room = new SharedRoom('fleet addresses');
    expect(takeAll(room, free('a'), 800)).toBe(400);
    expect(takeAll(room, free('b'), 800)).toBe(100);
    expect([room.lacks(free('a'), 1, 800), room.lacks(free('b'), 1, 800)]).toEqual(['share', 'share']);
  });

  it.each([
    ['a full batch each', 500],
    ['addresses one by one', 1],
  ])('leaves room beside any number of accounts that take all they may, %s', (_how, amount) => {
    const room = new SharedRoom('fleet addresses');
    const size = 20_000;
    for (let account = 1; account <= 350; account += 1) {
      takeAll(room, bought(`b${account}`), size, amount);
      expect(size - room.total).toBeGreaterThanOrEqual(Math.floor(size / (account + 1)));
    }
    expect(room.lacks(bought('newcomer'), 1, size)).toBeNull();
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

  it('is never overfull, and whoever took last holds no more than it left', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const room = new SharedRoom('fleet addresses');
        play(room, all, (took) => {
          expect(room.total).toBeLessThanOrEqual(SIZE);
          if (took === null || room.total === took.amount) return;
          expect(room.heldBy(took.holder)).toBeLessThanOrEqual(Math.max(1, SIZE - room.total));
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
          // As if nobody but the one that bought were there: nearly half of what free accounts cannot have.
          expect(room.lacks(bought('newcomer'), (SIZE * (1 - FREE_PART)) / 2 - 2, SIZE)).toBeNull();
        }
      }),
    );
  });

  it('leaves a newcomer an eighth, whatever one account does', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const room = new SharedRoom('fleet addresses');
        const one = all.map(([kind, , amount]): [number, Holder, number] => [kind, free('greedy'), amount]);
        play(room, one, () => expect(room.lacks(free('newcomer'), SIZE / 8, SIZE)).toBeNull());
      }),
    );
  });
});
