import { expect, it } from 'vitest';
import { PROVIDER_LIMITS } from '../../engine/providers/provider-limits.ts';
import { providerNameOf } from '../../../schema/providers.ts';
import { ProviderRefusals } from './provider-refusals.ts';

const HOUR_MS = 3_600_000;

it('no provider is reported by a domain, which someone may have asked about', () => {
  const names = PROVIDER_LIMITS.map(({ suffixes }) => providerNameOf(suffixes[0] ?? ''));
  expect(names).toContain('web-de');
  expect(names.filter((name) => name === null || name.includes('.'))).toEqual([]);
});

it('a provider that blocks an address of this host is reported once, as long as its cool-down lasts', () => {
  let [now, told] = [0, 0];
  const log: unknown[] = [];
  const refusals = new ProviderRefusals(
    () => now,
    (event, fields) => log.push([event, fields]),
    () => (told += 1),
  );
  refusals.blocked({ provider: null, egress: 0 }, HOUR_MS);
  expect(refusals.list()).toEqual([]);
  refusals.blocked({ provider: 'web.de', egress: 1 }, HOUR_MS);
  now = 1_000;
  refusals.blocked({ provider: 'web.de', egress: 1 }, HOUR_MS);
  const blocked = { provider: 'web-de', egress: 1 };
  expect([refusals.list(), log, told]).toEqual([[blocked], [['provider_refuses', blocked]], 1]);
  now = HOUR_MS;
  expect(refusals.list()).toEqual([blocked]);
  now += 1_000;
  expect(refusals.list()).toEqual([]);
  refusals.blocked({ provider: 'web.de', egress: 1 }, HOUR_MS);
  expect(told).toBe(2);
});
