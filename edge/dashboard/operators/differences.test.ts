import { expect, it } from 'vitest';
import type { HostEntry } from '../contract/operator-api.ts';
import { differencesOf } from './differences.ts';

const HOST: HostEntry = {
  id: 'fra-1',
  state: 'active',
  createdAt: '2026-11-21T10:00:00Z',
  instances: 1,
  healthy: true,
  why: null,
  jobs: 0,
  processes: [],
};

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
