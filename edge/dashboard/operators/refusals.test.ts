import { expect, it } from 'vitest';
import type { HostEntry, ProviderRefusal } from '../contract/operator-api.ts';
import { refusalsOf } from './refusals.ts';

const host = (id: string, ...processes: readonly (readonly ProviderRefusal[] | undefined)[]): HostEntry => ({
  id,
  state: 'active',
  createdAt: '2026-11-21T10:00:00Z',
  instances: processes.length,
  healthy: true,
  why: null,
  jobs: 0,
  processes: processes.map((refusals) => ({ jobs: 0, refusals })),
});

it('refusals are added up by provider and host, the worst first, and a host that does not tell has none', () => {
  const hosts = [
    host('fra-1', [{ provider: 'gmail', refused: 1, of: 100 }], [{ provider: 'gmail', refused: 4, of: 100 }]),
    host('fra-2', [
      { provider: 'gmail', refused: 0, of: 50 },
      { provider: 'yahoo', refused: 5, of: 5 },
    ]),
    host('fra-3', undefined),
  ];
  expect(refusalsOf(hosts)).toEqual([
    { provider: 'yahoo', host: 'fra-2', refused: 5, of: 5 },
    { provider: 'gmail', host: 'fra-1', refused: 5, of: 200 },
  ]);
});
