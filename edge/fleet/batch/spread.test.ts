import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeMember } from '../../testing/member.ts';
import { receiverOf } from '../trust/receiver.ts';
import { lotsOf } from '../trust/rendezvous.ts';
import type { Member } from '../trust/host.ts';
import { hostOf, type Lot } from './spread.ts';

const SLOTS = 20_000;
const lotOf = lotsOf('secret');
const lotFor =
  (account: number): Lot =>
  (domain, host) =>
    lotOf(account, domain, host);

function hosts(count: number, changes: Partial<Member> = {}): Member[] {
  return Array.from({ length: count }, (_, n) =>
    makeMember({ host: `h${n}`, instance: `i${n}`, egress: [`192.0.2.${n}`] }, { slots: SLOTS, ...changes }),
  );
}
/** Domains with this many addresses each. */
const domainsOf = (...sizes: readonly number[]): ReadonlyMap<number, number> =>
  new Map(sizes.map((size, n) => [receiverOf(`d${n}.test`), size]));
const single = (name: string): ReadonlyMap<number, number> => new Map([[receiverOf(name), 1]]);
const names = Array.from({ length: 3_000 }, (_, n) => `name${n}.test`);

function play(
  domains: ReadonlyMap<number, number>,
  members: readonly Member[],
  avoided: string | null = null,
  lot = lotFor(1),
): string | null {
  const isAvoided = ({ host }: Pick<Member, 'host'>): boolean => host === avoided;
  return hostOf(domains, members, { isAvoided }, { lot, assignedTo: () => 0 })?.host ?? null;
}

describe('the host of a domain', () => {
  it('is the same for every call of an account, and differs by account and domain', () => {
    const members = hosts(20);
    const of = (account: number, name: string) => play(single(name), members, undefined, lotFor(account));
    expect(names.slice(0, 100).map((name) => of(1, name))).toEqual(
      names.slice(0, 100).map((name) => play(single(name), members.toReversed())),
    );
    expect(new Set(names.map((name) => of(1, name))).size).toBe(20);
    expect(new Set(names.map((_, account) => of(account, 'name.test'))).size).toBe(20);
  });

  it('is drawn in proportion to slots', () => {
    const members = hosts(2).map((m, n) => (n === 0 ? { ...m, slots: SLOTS / 4 } : m));
    const firsts = names.filter((name) => play(single(name), members) === 'h0').length;
    expect(firsts / names.length).toBeCloseTo(0.2, 1);
  });

  it('changes, when a host leaves, only for the domains of that host', () => {
    const members = hosts(5);
    const before = names.map((name) => play(single(name), members));
    const after = names.map((name) => play(single(name), members.slice(1)));
    expect(names.filter((_, n) => before[n] !== after[n] && before[n] !== 'h0')).toEqual([]);
    const moved = after.filter((_, n) => before[n] === 'h0');
    expect(new Set(moved).size).toBe(4);
  });
});

it('an avoided host gets nothing while another is there', () => {
  const owner = play(single('a.test'), hosts(3)) ?? '';
  expect(play(single('a.test'), hosts(3), owner)).not.toBe(owner);
  const alone = hosts(3).filter(({ host }) => host === owner);
  expect(play(single('a.test'), alone, owner)).toBe(owner);
});

describe('the load of a host', () => {
  it.each([1, 100])('stays within 1.25 times its fair share, even for chosen names, %i a batch', (each) => {
    // Forty accounts, each using names that it has seen one host ask about.
    const members = hosts(3);
    const given = new Map<string, number>();
    for (let batch = 0; batch * each < 20_000; batch += 1) {
      const lot = lotFor(batch % 40);
      const ground = new Map<number, number>();
      for (let n = 0; ground.size < each; n += 1) {
        const domain = receiverOf(`ground${batch}-${n}.test`);
        if (members.every(({ host }) => lot(domain, 'h0') >= lot(domain, host))) ground.set(domain, 1);
      }
      const loaded = members.map((m) => ({ ...m, addresses: given.get(m.host) ?? 0 }));
      const host = play(ground, loaded, undefined, lot) ?? '';
      given.set(host, (given.get(host) ?? 0) + each);
    }
    expect(Math.max(...given.values())).toBeLessThanOrEqual((1.25 * 20_000) / 3 + each);
    expect(Math.min(...given.values())).toBeGreaterThan(2_000);
  });

  it('does not cost a lightly loaded host its own domains just because the others are idle', () => {
    const members = hosts(3);
    const owner = play(single('a.test'), members);
    const loaded = members.map((m) => (m.host === owner ? { ...m, addresses: 499 } : m));
    expect(play(single('a.test'), loaded)).toBe(owner);
    const burdened = members.map((m) => (m.host === owner ? { ...m, addresses: 500 } : m));
    expect(play(single('a.test'), burdened)).not.toBe(owner);
  });

  it('exceeds its slots only when no other host has any left', () => {
    const members = hosts(2).map((m, n) => (n === 0 ? { ...m, slots: 10, addresses: 10 } : m));
    expect(names.slice(0, 50).filter((name) => play(single(name), members) === 'h0')).toEqual([]);
  });
});

describe('a batch', () => {
  const sizes = Array.from({ length: 24 }, (_, n) => 1 + (n % 3));

  it('goes to the host that owns most of its addresses, unless that overloads it', () => {
    const domains = domainsOf(...sizes);
    const members = hosts(3);
    const owner = play(domains, members);
    const counts = new Map<string, number>();
    for (const [domain, addresses] of domains) {
      const lots = members.map(({ host }) => ({ host, lot: lotFor(1)(domain, host) }));
      const { host = '' } = lots.toSorted((a, b) => b.lot - a.lot)[0] ?? {};
      counts.set(host, (counts.get(host) ?? 0) + addresses);
    }
    expect(counts.get(owner ?? '')).toBe(Math.max(...counts.values()));
    // Each of its domains alone would still fit.
    const loaded = members.map((m) => (m.host === owner ? { ...m, addresses: 490 } : m));
    expect(play(domains, loaded)).not.toBe(owner);
  });

  it('always gets a host if there is one', () => {
    const each = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 60 });
    const roster = fc.array(fc.record({ slots: fc.integer({ min: 0, max: SLOTS }), addresses: fc.nat(SLOTS) }), {
      minLength: 1,
      maxLength: 25,
    });
    fc.assert(
      fc.property(each, roster, (all, changes) => {
        const members = changes.map((change, n) =>
          makeMember({ host: `h${n}`, instance: `i${n}`, egress: [] }, change),
        );
        expect(play(domainsOf(...all), members)).not.toBeNull();
      }),
    );
  });

  it('waits if there is no host', () => {
    expect(play(domainsOf(1, 2), [])).toBeNull();
  });
});
