import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchIndexes } from '../../base/indexes.ts';
import { makeMember } from '../../testing/member.ts';
import { ScriptedTrust } from '../../testing/scripted-trust.ts';
import { receiverOf } from '../trust/receiver.ts';
import { lotsOf } from '../trust/rendezvous.ts';
import type { Member } from '../trust/roster.ts';
import { type Parcel, spread } from './spread.ts';

const SLOTS = 20_000;
const PARTS_MAX = 20;
const PART_MIN = 25;
const CUT = { partsMax: PARTS_MAX, partMin: PART_MIN };
const lotOf = lotsOf(0.37);
const lotOfOne = (domain: number, host: string): number => lotOf(1, domain, host);

function hosts(count: number, changes: Partial<Member> = {}): Member[] {
  return Array.from({ length: count }, (_, n) =>
    makeMember({ host: `h${n}`, instance: `i${n}`, egress: [`192.0.2.${n}`] }, { slots: SLOTS, ...changes }),
  );
}
/** Domains with so many addresses each. */
function parcelsOf(...sizes: readonly number[]): Parcel[] {
  const all = batchIndexes(sizes.reduce((sum, size) => sum + size, 0));
  let from = 0;
  return sizes.map((size, n) => {
    from += size;
    return { domain: receiverOf(`d${n}.test`), indexes: all.slice(from - size, from) };
  });
}
/** The host of each part with the number of its addresses. */
function play(parcels: readonly Parcel[], members: readonly Member[], trust = new ScriptedTrust(), account = 1) {
  const rate = (instance: string) => trust.rate(instance);
  const lot = (domain: number, host: string) => lotOf(account, domain, host);
  const parts = spread(parcels, { members, rate, lot }, CUT);
  return Object.fromEntries(
    parts.map(({ to, parcels: own }) => [to.host, own.flatMap(({ indexes }) => indexes).length]),
  );
}
const single = (name: string): Parcel[] => [{ domain: receiverOf(name), indexes: batchIndexes(1) }];
const names = Array.from({ length: 3_000 }, (_, n) => `name${n}.test`);

describe('which host gets a domain', () => {
  it('is the same for every call of an account, and another for other accounts and domains', () => {
    const members = hosts(20);
    const of = (account: number, name: string) => Object.keys(play(single(name), members, undefined, account)).join('');
    expect(names.slice(0, 100).map((name) => of(1, name))).toEqual(
      names.slice(0, 100).map((name) => Object.keys(play(single(name), members.toReversed(), undefined, 1)).join('')),
    );
    expect(new Set(names.map((name) => of(1, name))).size).toBe(20);
    expect(new Set(names.map((_, account) => of(account, 'name.test'))).size).toBe(20);
  });

  it('is spread by slots', () => {
    const [small, large] = hosts(2);
    const members = [{ ...small, slots: SLOTS / 4 }, large].flatMap((m) =>
      m === undefined ? [] : [{ ...makeMember({ host: '', instance: '', egress: [] }), ...m }],
    );
    const firsts = names.filter((name) => 'h0' in play(single(name), members)).length;
    expect(firsts / names.length).toBeCloseTo(0.2, 1);
  });

  it('stays, if another leaves, for all but those that it had', () => {
    const members = hosts(5);
    const before = names.map((name) => Object.keys(play(single(name), members))[0]);
    const after = names.map((name) => Object.keys(play(single(name), members.slice(1)))[0]);
    expect(names.filter((_, n) => before[n] !== after[n] && before[n] !== 'h0')).toEqual([]);
    const moved = after.filter((_, n) => before[n] === 'h0');
    expect(new Set(moved).size).toBe(4);
  });

  it('is its newest process', () => {
    const old = makeMember({ host: 'h', instance: 'old', egress: [] }, { startedAt: 1 });
    const parts = spread(
      single('a.test'),
      {
        members: [old, { ...old, instance: 'new', startedAt: 2 }],
        rate: (i) => new ScriptedTrust().rate(i),
        lot: () => 0.5,
      },
      CUT,
    );
    expect(parts.map(({ to }) => to.instance)).toEqual(['new']);
  });
});

describe('a host that something speaks against', () => {
  const [owner = ''] = Object.keys(play(single('a.test'), hosts(3)));
  const instance = owner.replace('h', 'i');

  it.each([
    ['refused jobs lately', new ScriptedTrust({}, { [instance]: { avoided: true } }), {}],
    ['left one unanswered', new ScriptedTrust(), { unresponsive: true }],
    ['has a job to prove itself by', new ScriptedTrust({ [instance]: 'unproven' }, { [instance]: { chances: 1 } }), {}],
  ])('gets nothing if it %s and another is there', (_name, trust, changes) => {
    const members = hosts(3).map((m) => (m.host === owner ? { ...m, ...changes } : m));
    expect(Object.keys(play(single('a.test'), members, trust))).not.toContain(owner);
    expect(
      Object.keys(
        play(
          single('a.test'),
          members.filter(({ host }) => host === owner),
          trust,
        ),
      ),
    ).toEqual([owner]);
  });

  it('gets its share if it is new and has no job yet', () => {
    expect(Object.keys(play(single('a.test'), hosts(3), new ScriptedTrust({ [instance]: 'unproven' })))).toEqual([
      owner,
    ]);
  });
});

describe('no host', () => {
  it('has more than 1.25 times its fair share, however the names were chosen', () => {
    // Forty accounts, each with names of which it has seen that one host asks.
    const members = hosts(3);
    const given = new Map<string, number>();
    for (let batch = 0; batch < 200; batch += 1) {
      const account = batch % 40;
      const lot = (domain: number, host: string) => lotOf(account, domain, host);
      const ground: Parcel[] = [];
      for (let n = 0; ground.length < 100; n += 1) {
        const domain = receiverOf(`ground${batch}-${n}.test`);
        const isFirst = members.every(({ host }) => lot(domain, 'h0') >= lot(domain, host));
        if (isFirst) ground.push({ domain, indexes: batchIndexes(1) });
      }
      const loaded = members.map((m) => ({ ...m, addresses: given.get(m.host) ?? 0 }));
      const parts = spread(ground, { members: loaded, rate: (i) => new ScriptedTrust().rate(i), lot }, CUT);
      for (const { to, parcels } of parts) given.set(to.host, (given.get(to.host) ?? 0) + parcels.length);
    }
    expect(Math.max(...given.values())).toBeLessThanOrEqual((1.25 * 20_000) / 3 + PART_MIN);
    expect(Math.min(...given.values())).toBeGreaterThan(2_000);
  });

  it('that is not burdened loses what is its own because the others have nothing', () => {
    const members = hosts(3);
    const [owner = ''] = Object.keys(play(single('a.test'), members));
    const loaded = members.map((m) => (m.host === owner ? { ...m, addresses: 499 } : m));
    expect(Object.keys(play(single('a.test'), loaded))).toEqual([owner]);
    const burdened = members.map((m) => (m.host === owner ? { ...m, addresses: 500 } : m));
    expect(Object.keys(play(single('a.test'), burdened))).not.toContain(owner);
  });

  it('gets more than it has slots for while another has some', () => {
    const members = hosts(2).map((m, n) => (n === 0 ? { ...m, slots: 10, addresses: 10 } : m));
    expect(names.slice(0, 50).filter((name) => 'h0' in play(single(name), members))).toEqual([]);
  });
});

describe('a batch', () => {
  it('of few addresses goes to one host', () => {
    expect(Object.values(play(parcelsOf(...Array.from({ length: PART_MIN - 1 }, () => 1)), hosts(20)))).toEqual([
      PART_MIN - 1,
    ]);
  });

  it('that is not cut goes to the host to which most of it belongs, unless that overburdens it', () => {
    const parcels = parcelsOf(...Array.from({ length: PART_MIN - 1 }, () => 1));
    const members = hosts(3);
    const [owner = ''] = Object.keys(play(parcels, members));
    const counts = new Map<string, number>();
    for (const { domain } of parcels) {
      const lots = members.map(({ host }) => ({ host, lot: lotOfOne(domain, host) }));
      const { host = '' } = lots.toSorted((a, b) => b.lot - a.lot)[0] ?? {};
      counts.set(host, (counts.get(host) ?? 0) + 1);
    }
    expect(counts.get(owner)).toBe(Math.max(...counts.values()));
    // Each of its domains alone would still fit.
    const loaded = members.map((m) => (m.host === owner ? { ...m, addresses: 490 } : m));
    expect(Object.keys(play(parcels, loaded))).not.toContain(owner);
  });

  it('of one domain is not cut, however large', () => {
    expect(Object.values(play(parcelsOf(500), hosts(20)))).toEqual([500]);
  });

  it('is given out whole, each domain to one host, in parts that are worth it and bounded, whatever there is', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 60 });
    const roster = fc.array(fc.record({ slots: fc.integer({ min: 0, max: SLOTS }), addresses: fc.nat(SLOTS) }), {
      minLength: 1,
      maxLength: 25,
    });
    fc.assert(
      fc.property(sizes, roster, fc.integer({ min: 1, max: PARTS_MAX }), (each, changes, partsMax) => {
        const parcels = parcelsOf(...each);
        const members = changes.map((change, n) =>
          makeMember({ host: `h${n}`, instance: `i${n}`, egress: [] }, change),
        );
        const parts = spread(
          parcels,
          { members, rate: (i) => new ScriptedTrust().rate(i), lot: lotOfOne },
          { partsMax, partMin: PART_MIN },
        );
        const domains = parts.flatMap((part) => part.parcels.map(({ domain }) => domain));
        expect(new Set(domains)).toEqual(new Set(parcels.map(({ domain }) => domain)));
        expect(domains).toHaveLength(parcels.length);
        expect(parts.length).toBeLessThanOrEqual(partsMax);
        const total = each.reduce((sum, size) => sum + size, 0);
        expect(parts.length).toBeLessThanOrEqual(Math.max(1, Math.ceil(total / PART_MIN)));
      }),
    );
  });

  it('waits if nobody is there', () => {
    expect(play(parcelsOf(1, 2), [])).toEqual({});
  });
});
