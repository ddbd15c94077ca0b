import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scriptedEvidence } from '../testing/worker/outcomes.ts';
import { type Address, sortEntries } from './entries.ts';
import { UNPROBED } from './judge.ts';
import { costOf, earnsCreditBack, priceOf } from './price.ts';

const domains = ['good.test', 'dead.test', 'policy.test', 'unprobed.test', 'nobanner.test'];
const entry = fc.oneof(
  fc.tuple(fc.constantFrom('a', 'b'), fc.constantFrom(...domains)).map(([local, domain]) => `${local}@${domain}`),
  fc.constantFrom<unknown>('no address', null, 7, ['x'], {}),
);
const entries = fc.array(entry, { minLength: 1, maxLength: 30 });
const evidenceOf = (addresses: readonly Address[]) =>
  new Map(addresses.map(({ index, domain }) => [index, scriptedEvidence(domain) ?? UNPROBED]));

describe('priceOf', () => {
  it('is the number of distinct addresses, or of entries', () => {
    const submitted = sortEntries(['a@good.test', 'A@GOOD.test', 'b@good.test', 'no address', 7]);
    expect([priceOf(submitted, 'probed'), priceOf(submitted, 'entries')]).toEqual([2, 5]);
  });
});

describe('costOf', () => {
  it('is the number of addresses that did not earn their credit back, each once, if probed ones are charged', () => {
    fc.assert(
      fc.property(entries, (submitted) => {
        const { slots, addresses } = sortEntries(submitted);
        const known = evidenceOf(addresses);
        const kept = [...known.values()].filter((evidence) => !earnsCreditBack(evidence.outcome)).length;
        expect(costOf(slots, known, 'probed')).toBe(kept);
      }),
    );
  });

  it('is the number of slots whose address did not earn its credit back, if entries are charged', () => {
    fc.assert(
      fc.property(entries, (submitted) => {
        const { slots, addresses } = sortEntries(submitted);
        const known = evidenceOf(addresses);
        const back = submitted.filter((item) => /@(policy|unprobed|nobanner)\.test$/.test(String(item))).length;
        expect(costOf(slots, known, 'entries')).toBe(submitted.length - back);
      }),
    );
  });

  it('adds up the same whether slots are charged at once or address by address', () => {
    fc.assert(
      fc.property(entries, fc.constantFrom('probed' as const, 'entries' as const), (submitted, charge) => {
        const { slots, addresses } = sortEntries(submitted);
        const known = evidenceOf(addresses);
        const parts = [
          slots.filter((slot) => slot.kind !== 'address'),
          ...addresses.map(({ index }) => slots.filter((slot) => slot.kind === 'address' && slot.address === index)),
        ];
        const sum = parts.reduce((total, part) => total + costOf(part, known, charge), 0);
        expect(sum).toBe(costOf(slots, known, charge));
      }),
    );
  });
});
