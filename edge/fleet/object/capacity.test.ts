import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AccountClass } from '../../../schema/account-class.ts';
import { Capacity, needsOf, type Needs } from './capacity.ts';

/** What one host runs at once. */
const SLOTS = 20_000;

function batchOf(account: string, accountClass: AccountClass, size = 500): Needs {
  return needsOf({ account, accountClass, addresses: Array.from({ length: size }, (_, n) => [`u${n}`, 'a.test']) });
}

/** Begins batches of an account until one is refused. @returns how many, and why no more */
function fill(capacity: Capacity, account: string, accountClass: AccountClass, most = Infinity) {
  const batch = batchOf(account, accountClass);
  let count = 0;
  for (;;) {
    const lack = count >= most ? 'enough' : capacity.lacks(batch, capacity.sizeOf(SLOTS, 0));
    if (lack !== null) return { count, lack };
    capacity.take(batch);
    count += 1;
  }
}

describe('the room of a Fleet object', () => {
  it('cannot be used up by two accounts that bought and hold all they can', () => {
    const capacity = new Capacity();
    expect(fill(capacity, 'one', 'bought')).toEqual({ count: 19, lack: 'share' });
    expect(fill(capacity, 'two', 'bought')).toEqual({ count: 9, lack: 'share' });
    expect(fill(capacity, 'three', 'bought').count).toBeGreaterThan(0);
    expect(fill(capacity, 'four', 'bought').count).toBeGreaterThan(0);
  });

  it('stays half free for buyers, even if forty free accounts ask for it', () => {
    const capacity = new Capacity();
    let [begun, lack] = [0, ''];
    for (let n = 0; n < 40; n += 1) {
      const filled = fill(capacity, `free-${n}`, 'free', 1);
      begun += filled.count;
      if (filled.count === 0) lack = filled.lack;
    }
    expect([begun, lack]).toEqual([19, 'share']);
    expect(fill(capacity, 'bought', 'bought').count).toBeGreaterThan(5);
  });

  it("is this object's share of the hosts' slots, or its memory if no host is connected", () => {
    expect(new Capacity(4).sizeOf(SLOTS, 0)).toBe(SLOTS / 4);
    expect(new Capacity().sizeOf(0, 0)).toBe(150_000);
    expect(new Capacity().sizeOf(1_000_000, 48_000_000)).toBe(50_000);
  });

  it('takes one batch of any size while it is empty', () => {
    const capacity = new Capacity();
    expect(capacity.lacks(batchOf('a', 'free'), 10)).toBeNull();
    capacity.take(batchOf('a', 'free'));
    expect(capacity.lacks(batchOf('b', 'bought', 1), 10)).toBe('full');
  });

  it('is fully returned when every batch has ended, and never given twice', () => {
    const wanted = fc.record({
      account: fc.constantFrom('a', 'b', 'c', 'd'),
      isFree: fc.boolean(),
      size: fc.integer({ min: 1, max: 500 }),
    });
    fc.assert(
      fc.property(fc.array(wanted, { maxLength: 200 }), (all) => {
        const capacity = new Capacity();
        const begun: Needs[] = [];
        for (const { account, isFree, size } of all) {
          const needs = batchOf(`${account}${isFree}`, isFree ? 'free' : 'bought', size);
          if (capacity.lacks(needs, SLOTS) !== null) continue;
          capacity.take(needs);
          begun.push(needs);
          expect(capacity.total).toBeLessThanOrEqual(SLOTS);
        }
        for (const needs of begun) capacity.giveBack(needs);
        expect(capacity.total).toBe(0);
      }),
    );
  });
});
