import { disposableEmailBlocklist } from 'disposable-email-domains-js';
import { describe, expect, it } from 'vitest';
import { SortedNames, sortedText } from './sorted-names.ts';

const names = disposableEmailBlocklist();

describe('sorted names', () => {
  it('have every name that they were made of, first and last among them', () => {
    const sorted = new SortedNames(sortedText(names));
    expect(names.length).toBeGreaterThan(1_000);
    expect(names.filter((name) => !sorted.has(name))).toEqual([]);
  });

  it('have no part of a name, and none that is longer', () => {
    const sorted = new SortedNames(sortedText(names));
    const set = new Set(names);
    const others = names.flatMap((name) => [name.slice(1), name.slice(0, -1), `${name}a`, `0${name}`, `${name}\n`]);
    expect(others.filter((name) => !set.has(name) && sorted.has(name))).toEqual([]);
  });

  it.each(['', '\n', 'a', '\u{10ffff}'])('that are none do not have %j', (name) => {
    expect(new SortedNames(sortedText([])).has(name)).toBe(false);
  });

  it.each([['b'], ['a', 'b'], ['a', 'b', 'c'], ['a', 'ab', 'b', 'ba']])('of %j are found one by one', (...few) => {
    const sorted = new SortedNames(sortedText(few.toReversed()));
    expect(['', 'a', 'ab', 'abc', 'b', 'ba', 'c', 'd'].filter((name) => sorted.has(name))).toEqual(few);
  });
});
