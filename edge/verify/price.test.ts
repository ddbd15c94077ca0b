import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRefunded } from '../../schema/outcomes.ts';
import { scriptedEvidence } from '../testing/worker/outcomes.ts';
import { type Address, sortEntries } from './entries.ts';
import { UNPROBED } from './judge.ts';
import { billable, chargedOf } from './price.ts';

const domains = ['good.test', 'dead.test', 'policy.test', 'unprobed.test', 'nobanner.test'];
const entry = fc.oneof(
  fc.tuple(fc.constantFrom('a', 'b'), fc.constantFrom(...domains)).map(([local, domain]) => `${local}@${domain}`),
  fc.constantFrom<unknown>('no address', null, 7, ['x'], {}),
);
const entries = fc.array(entry, { minLength: 1, maxLength: 30 });
const evidenceOf = (addresses: readonly Address[]) =>
  new Map(addresses.map(({ index, domain }) => [index, scriptedEvidence(domain) ?? UNPROBED]));

/** The cost of the given slots when nothing was charged before. */
const costOf = (submitted: readonly unknown[], charge: 'probed' | 'entries') => {
  const sorted = sortEntries(submitted);
  return chargedOf(sorted.slots, evidenceOf(sorted.addresses), new Set(billable(sorted, charge))).length;
};

describe('billable', () => {
  it('returns the first element of each distinct address, or every element', () => {
    const submitted = sortEntries(['no address', 'a@good.test', 'A@GOOD.test', 'b@good.test', 7]);
    expect([billable(submitted, 'probed'), billable(submitted, 'entries')]).toEqual([
      [1, 3],
      [0, 1, 2, 3, 4],
    ]);
  });
});

describe('chargedOf', () => {
  it('returns each unrefunded address once if probed addresses are charged', () => {
    fc.assert(
      fc.property(entries, (submitted) => {
        const known = evidenceOf(sortEntries(submitted).addresses);
        const kept = [...known.values()].filter((evidence) => !isRefunded(evidence.outcome)).length;
        expect(costOf(submitted, 'probed')).toBe(kept);
      }),
    );
  });

  it('returns each slot of an unrefunded address if entries are charged', () => {
    fc.assert(
      fc.property(entries, (submitted) => {
        const back = submitted.filter((item) => /@(policy|unprobed|nobanner)\.test$/.test(String(item))).length;
        expect(costOf(submitted, 'entries')).toBe(submitted.length - back);
      }),
    );
  });

  it('returns only due elements, the same whether slots are charged at once or address by address', () => {
    fc.assert(
      fc.property(entries, fc.constantFrom('probed' as const, 'entries' as const), fc.nat(), (submitted, charge, n) => {
        const sorted = sortEntries(submitted);
        const { slots, addresses } = sorted;
        const known = evidenceOf(addresses);
        const all = billable(sorted, charge);
        const paid = all.filter((place) => (place + n) % 3 === 0);
        const due = new Set(all.filter((place) => !paid.includes(place)));
        const parts = [
          slots.filter((slot) => slot.kind !== 'address'),
          ...addresses.map(({ index }) => slots.filter((slot) => slot.kind === 'address' && slot.address === index)),
        ];
        const charged = parts.flatMap((part) => chargedOf(part, known, due));
        expect(charged.toSorted((a, b) => a - b)).toEqual(chargedOf(slots, known, due));
        const fresh = chargedOf(slots, known, new Set(all));
        expect(chargedOf(slots, known, due)).toEqual(fresh.filter((place) => !paid.includes(place)));
      }),
    );
  });
});
