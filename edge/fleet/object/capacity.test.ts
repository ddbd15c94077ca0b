import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FleetJob } from '../../base/fleet-protocol.ts';
import { Capacity, needsOf } from './capacity.ts';

type Whose = Pick<FleetJob, 'account' | 'accountClass'>;
const ROOM = { addresses: 20_000, batches: 1_000 };
const MUCH = { addresses: 1_000_000, batches: 1_000_000 };
const NO_HOST = { addresses: 0, batches: 0 };

const batch = (n: number, length: number, whose: Whose) => ({
  addresses: Array.from({ length: n }, () => ['x', 'd'.repeat(length)] as const),
  ...whose,
});
const free = (account: string) => ({ account, accountClass: 'free' }) as const;
const bought = (account: string) => ({ account, accountClass: 'bought' }) as const;

const asks = (whose: Whose) => needsOf(batch(500, 20, whose));

/** Begins batches of an account until one is refused, or it has as many. @returns how many were begun, and why no more */
function fill(
  capacity: Capacity,
  n: number,
  whose: Whose,
  most = Infinity,
): readonly [batches: number, lack: string | null] {
  const needs = needsOf(batch(n, 20, whose));
  for (let batches = 0; ; batches += 1) {
    if (batches === most) return [batches, null];
    const lack = capacity.lacks(needs, ROOM, 0);
    if (lack !== null) return [batches, lack];
    capacity.reserve(needs);
  }
}

describe('needsOf', () => {
  it('is the room of a batch, of each of its addresses, and of their text', () => {
    const addresses = [['ab', 'c.test']] as const;
    expect(needsOf({ addresses, ...bought('a') })).toEqual({
      holder: { account: 'a', class: 'bought' },
      addresses: 1,
      bytes: 12_148,
    });
  });
});

describe('Capacity', () => {
  it.each([
    ['six free accounts that send batches of 500 as long as any is begun', 6, 500],
    ['forty', 40, 500],
    ['a thousand', 1_000, 500],
    ['a thousand, of one address each', 1_000, 1],
  ])('has room for an account that bought, beside %s', (_who, accounts, addresses) => {
    const capacity = new Capacity();
    for (let round = 0; round < 3; round += 1)
      for (let n = 0; n < accounts; n += 1) fill(capacity, addresses, free(`f${n}`));
    expect(capacity.lacks(needsOf(batch(500, 20, free('newcomer'))), ROOM, 0)).toBe('share');
    for (let n = 0; n < 10; n += 1) {
      const needs = needsOf(batch(500, 20, bought('b')));
      expect(capacity.lacks(needs, ROOM, 0)).toBeNull();
      capacity.reserve(needs);
    }
  });

  it.each([
    ['forty accounts that bought, with one batch of 500 each', 40, 500, 1],
    ['twenty that have as many batches of 500 as they may', 20, 500, Infinity],
    ['twenty that have as many batches of one address as they may', 20, 1, Infinity],
    ['twenty that have as many batches of 37 as they may', 20, 37, Infinity],
    ['a thousand with as many batches of 500 as they may', 1_000, 500, Infinity],
  ])('has room at once for one that asks for one address, beside %s', (_who, accounts, addresses, batches) => {
    const capacity = new Capacity();
    for (let n = 0; n < accounts; n += 1) fill(capacity, addresses, bought(`a${n}`), batches);
    for (let n = 0; n < 10; n += 1) {
      const needs = needsOf(batch(1, 20, bought(`b${n}`)));
      expect(capacity.lacks(needs, ROOM, 0)).toBeNull();
      capacity.reserve(needs);
    }
  });

  it('keeps half of everything for accounts that bought, whatever free ones do', () => {
    const step = fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 500 }), fc.boolean());
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const capacity = new Capacity();
        const begun: ReturnType<typeof needsOf>[] = [];
        for (const [account, n, ends] of steps) {
          const ended = ends ? begun.shift() : undefined;
          if (ended !== undefined) capacity.release(ended);
          const needs = needsOf(batch(n, 200, free(`f${account}`)));
          if (capacity.lacks(needs, ROOM, 0) === null) {
            capacity.reserve(needs);
            begun.push(needs);
          }
          expect(capacity.lacks(needsOf(batch(5_000, 20, bought('b'))), ROOM, 0)).toBeNull();
        }
      }),
    );
  });

  it('gives each of four objects a quarter of what the hosts can run, so that together they ask no more of them', () => {
    const begun = Array.from({ length: 4 }, () => {
      const capacity = new Capacity(4);
      return [...Array(40).keys()].reduce((sum, n) => sum + fill(capacity, 100, bought(`a${n}`))[0], 0);
    });
    expect(begun.reduce((sum, batches) => sum + 100 * batches, 0)).toBeLessThanOrEqual(ROOM.addresses);
    expect(Math.min(...begun)).toBeGreaterThan(35);
  });

  it('says that it is full when an account that bought and holds nothing would be refused too', () => {
    const capacity = new Capacity();
    for (let n = 0; n < 45; n += 1) fill(capacity, 500, bought(`a${n}`), 1);
    expect(capacity.addresses).toBe(16_000);
    expect(capacity.lacks(needsOf(batch(500, 20, bought('a1'))), ROOM, 0)).toBe('full');
    expect(capacity.lacks(needsOf(batch(100, 20, bought('b'))), ROOM, 0)).toBeNull();
  });

  it('gives a free account alone a quarter of the addresses, one that bought half, and the next one an eighth', () => {
    expect(fill(new Capacity(), 500, free('a'))).toEqual([10, 'share']);
    const capacity = new Capacity();
    expect(fill(capacity, 500, bought('a'))).toEqual([20, 'share']);
    expect(fill(capacity, 500, bought('b'))).toEqual([5, 'share']);
  });

  it('lets in 400 ordinary batches of 500, or 100 of the worst', () => {
    for (const [count, length] of [
      [400, 20],
      [100, 316],
    ] as const) {
      const capacity = new Capacity();
      for (let n = 0; n < count; n += 1) {
        const needs = needsOf(batch(500, length, bought(`a${n}`)));
        expect(capacity.lacks(needs, MUCH, 0)).toBeNull();
        capacity.reserve(needs);
      }
    }
  });

  it('never lets in more than 72 MB, unread answers included', () => {
    const capacity = new Capacity();
    let bytes = 0;
    for (let n = 0; n < 10_000; n += 1) {
      const needs = needsOf(batch(500, 316, bought(`a${n}`)));
      if (capacity.lacks(needs, NO_HOST, 10_000_000) !== null) break;
      capacity.reserve(needs);
      bytes += needs.bytes;
    }
    expect(bytes).toBeGreaterThan(56_000_000);
    expect(bytes).toBeLessThanOrEqual(62_000_000);
  });

  it('goes by what the hosts can run, unless none is connected', () => {
    const capacity = new Capacity();
    capacity.reserve(needsOf(batch(500, 5, bought('a'))));
    const lack = (addresses: number, batches: number) =>
      capacity.lacks(needsOf(batch(500, 5, bought('b'))), { addresses, batches }, 0);
    expect([lack(2_000, 2), lack(1_800, 2), lack(999, 2), lack(2_000, 1), lack(0, 0)]).toEqual([
      null,
      'full',
      'full',
      'full',
      null,
    ]);
  });

  it('tells an account that has its share from a class that has', () => {
    const capacity = new Capacity();
    fill(capacity, 500, free('a'));
    expect(capacity.lacksAsClass(asks(free('a')), ROOM, 0)).toBe(false);
    for (let n = 0; n < 20; n += 1) fill(capacity, 500, free(`f${n}`));
    expect(capacity.lacksAsClass(asks(free('a')), ROOM, 0)).toBe(true);
    expect(capacity.lacksAsClass(asks(bought('b')), ROOM, 0)).toBe(false);
  });

  it('says that it is full before it speaks of shares', () => {
    const capacity = new Capacity();
    capacity.reserve(needsOf(batch(6, 5, bought('a'))));
    expect(capacity.lacks(needsOf(batch(1, 5, bought('a'))), { addresses: 10, batches: 1_000 }, 0)).toBe('share');
    expect(capacity.lacks(needsOf(batch(1, 5, bought('a'))), { addresses: 10, batches: 1 }, 0)).toBe('full');
  });

  it('has again what an ended batch gives back', () => {
    const capacity = new Capacity();
    const needs = needsOf(batch(500, 5, free('account')));
    capacity.reserve(needs);
    capacity.release(needs);
    expect(capacity.lacks(needsOf(batch(500, 5, free('another'))), { addresses: 10, batches: 1 }, 0)).toBeNull();
  });
});
