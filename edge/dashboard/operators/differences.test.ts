import { expect, it } from 'vitest';
import { differencesOf } from './differences.ts';

const HOST = { id: 'fra-1' };

it('a host that differs is named with where and how often, and one that does not tell is not', () => {
  const differs = [
    { provider: 'google', alone: 9, split: 0, of: 1_030 },
    { provider: 'others', alone: 6, split: 2, of: 40 },
  ];
  expect(differencesOf({ ...HOST, differs })).toEqual([
    `fra-1 differs from its peers at google: alone in 9 of ${(1_030).toLocaleString()} addresses.`,
    'fra-1 differs from its peers at unlisted providers: alone in 6 of 40 addresses, and in 2 without a third host to decide.',
  ]);
  expect(differencesOf(HOST)).toEqual([]);
});
