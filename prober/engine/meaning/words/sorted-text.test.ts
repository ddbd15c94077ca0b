import { disposableEmailBlocklist } from 'disposable-email-domains-js';
import { describe, expect, it } from 'vitest';
import { SortedText, sortedText } from './sorted-text.ts';

const names = disposableEmailBlocklist();

describe('sorted names', () => {
  it('contain every name they were made from, including the first and the last', () => {
    const sorted = new SortedText(sortedText(names));
    expect(names.length).toBeGreaterThan(1_000);
    expect(names.filter((name) => !sorted.has(name))).toEqual([]);
  });

  it('contain no part of a name, and no longer one', () => {
    const sorted = new SortedText(sortedText(names));
    const set = new Set(names);
    const others = names.flatMap((name) => [name.slice(1), name.slice(0, -1), `${name}a`, `0${name}`, `${name}\n`]);
    expect(others.filter((name) => !set.has(name) && sorted.has(name))).toEqual([]);
  });

  it.each(['', '\n', 'a', '\u{10ffff}'])('without names do not contain %j', (name) => {
    expect(new SortedText(sortedText([])).has(name)).toBe(false);
  });

  it.each([['b'], ['a', 'b'], ['a', 'b', 'c'], ['a', 'ab', 'b', 'ba']])('are found one by one: %j', (...few) => {
    const sorted = new SortedText(sortedText(few.toReversed()));
    expect(['', 'a', 'ab', 'abc', 'b', 'ba', 'c', 'd'].filter((name) => sorted.has(name))).toEqual(few);
  });
});
