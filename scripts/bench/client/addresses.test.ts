import { expect, test } from 'vitest';
import { DOMAINS } from '../../sandbox/domains.ts';
import { addresses, byDomain, Ticks } from './addresses.ts';

const domainOf = (email: string): string => email.slice(email.indexOf('@') + 1);

test('the list is of the sandbox world, each address once, and in order of domains it is the same list', () => {
  const list = [...addresses(1_000)];
  expect(new Set(list).size).toBe(1_000);
  const unknown = list.map(domainOf).filter((domain) => !DOMAINS.has(domain));
  expect(new Set(unknown)).toEqual(new Set(['nxdomain.test']));
  const ordered = byDomain(1_000);
  expect(ordered.toSorted()).toEqual(list.toSorted());
  const turns = ordered.filter((email, place) => domainOf(email) !== domainOf(ordered[place - 1] ?? ''));
  expect(turns).toHaveLength(new Set(list.map(domainOf)).size);
});

test('ticks tell what came, came again, and was never asked for', () => {
  const ticks = new Ticks(100);
  for (const email of addresses(100)) ticks.take(email);
  for (const email of ['user0@nxdomain.test', 'user1@nxdomain.test', 'user100@mx-missing.test', 'x']) ticks.take(email);
  expect([ticks.once, ticks.repeated, ticks.strange, ticks.done]).toEqual([100, 1, 3, 104]);
});
