import { describe, expect, it } from 'vitest';
import { ACCOUNTS_MAX, AccountNumbers } from './account-numbers.ts';

const HOUR_MS = 3_600_000;

describe('AccountNumbers', () => {
  it('gives an account the same number as long as it is in use, and no two accounts the same', () => {
    const numbers = new AccountNumbers(0.5);
    const a = numbers.of('a', 0);
    expect(numbers.of('b', 0)).not.toBe(a);
    for (let now = 0; now < 5 * HOUR_MS; now += HOUR_MS / 2) expect(numbers.of('a', now)).toBe(a);
  });

  it('starts elsewhere in each object, and tells nothing of the account', () => {
    expect(new AccountNumbers(0.1).of('a', 0)).not.toBe(new AccountNumbers(0.9).of('a', 0));
  });

  it('stays within 32 bits when it starts at their end', () => {
    const numbers = new AccountNumbers(1 - 2 ** -33);
    expect([numbers.of('a', 0), numbers.of('b', 0)]).toEqual([2 ** 32 - 1, 0]);
  });

  it('forgets accounts that ask for nothing, and never gives their number to another', () => {
    const numbers = new AccountNumbers(0);
    const gone = numbers.of('gone', 0);
    const seen = new Set([gone]);
    expect(numbers.of('b', 2 * HOUR_MS)).not.toBe(gone);
    expect(numbers.size).toBe(1);
    seen.add(numbers.of('b', 2 * HOUR_MS));
    expect(seen.has(numbers.of('gone', 2 * HOUR_MS))).toBe(false);
  });

  it('remembers no more than its bound, however many accounts come', () => {
    const numbers = new AccountNumbers(0);
    const seen = new Set(Array.from({ length: 100_000 }, (_, i) => numbers.of(`account-${i}`, i)));
    expect(seen.size).toBe(100_000);
    expect(numbers.size).toBe(ACCOUNTS_MAX);
  });
});
