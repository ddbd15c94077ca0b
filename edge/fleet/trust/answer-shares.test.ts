import { describe, expect, it } from 'vitest';
import { ALL, AnswerShares } from './answer-shares.ts';

const KEYS = ['account acme', ALL];

/** Answers until a host is doubted that accepts everybody, where the others accept this share. */
function until(share: number): number {
  const shares = new AnswerShares();
  for (let n = 0; n < 200; n += 1)
    for (const host of ['b', 'c']) shares.note(host, KEYS, (n * share) % 1 < share - 1e-9 ? 'accepts' : 'refuses');
  for (let n = 1; n <= 1_000; n += 1) {
    shares.note('a', KEYS, 'accepts');
    if (shares.isSuspect('a', KEYS, 'accepts')) return n;
  }
  return Infinity;
}

describe('AnswerShares', () => {
  it.each([
    [0.5, 14],
    [0.8, 60],
  ])('doubts a host that accepts all where others accept %d after no more than %i answers', (share, most) => {
    expect(until(share)).toBeLessThanOrEqual(most);
    // What was wrong until then is as much in either case.
    expect(until(share) * (1 - share)).toBeLessThanOrEqual(12);
  });

  it('doubts nobody where everybody is accepted', () => {
    expect(until(1)).toBe(Infinity);
  });

  it('holds a host that says one thing against one that does not, and not the other way round', () => {
    const shares = new AnswerShares();
    for (let n = 0; n < 40; n += 1) {
      shares.note('a', KEYS, 'accepts');
      shares.note('b', KEYS, n % 2 === 0 ? 'accepts' : 'refuses');
    }
    expect(shares.isOneWord('a', KEYS, 'accepts', { host: 'b', answer: 'refuses' })).toBe(true);
    expect(shares.isOneWord('b', KEYS, 'refuses', { host: 'a', answer: 'accepts' })).toBe(false);
  });

  it('remembers no more accounts than its bound, however many come', () => {
    const shares = new AnswerShares();
    for (let n = 0; n < 20; n += 1) shares.note('a', ['account first', ALL], 'refuses');
    expect(shares.isSuspect('a', ['account first'], 'refuses')).toBe(true);
    for (let n = 0; n < 1_001; n += 1) shares.note('a', [`account ${n}`, ALL], 'accepts');
    expect(shares.isSuspect('a', ['account first'], 'refuses')).toBe(false);
  });
});
