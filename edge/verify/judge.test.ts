import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { earnsCreditBack } from '../../schema/verdict.ts';
import { scriptedEvidence } from '../testing/worker/outcomes.ts';
import { sortEntries } from './entries.ts';
import { costOf, isFailure, judgeSlot, UNPROBED } from './judge.ts';

const domains = ['good.test', 'dead.test', 'policy.test', 'unprobed.test', 'nobanner.test'];
const entry = fc.oneof(
  fc.tuple(fc.constantFrom('a', 'b'), fc.constantFrom(...domains)).map(([local, domain]) => `${local}@${domain}`),
  fc.constantFrom<unknown>('no address', null, 7, ['x'], {}),
);
const entries = fc.array(entry, { minLength: 1, maxLength: 30 });
const evidenceOf = (addresses: ReadonlyArray<readonly [string, string]>) =>
  addresses.map(([, domain]) => scriptedEvidence(domain) ?? UNPROBED);

describe('costOf', () => {
  it('is the number of addresses that did not earn their credit back, each once, where probed ones are charged', () => {
    fc.assert(
      fc.property(entries, (submitted) => {
        const { slots, addresses } = sortEntries(submitted);
        const known = evidenceOf(addresses);
        const kept = known.filter((evidence) => !earnsCreditBack(evidence.outcome)).length;
        expect(costOf(slots, known, 'probed')).toBe(kept);
      }),
    );
  });

  it('is the number of slots whose address did not earn its credit back, where entries are charged', () => {
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
          ...addresses.map((_, at) => slots.filter((slot) => slot.kind === 'address' && slot.at === at)),
        ];
        const sum = parts.reduce((total, part) => total + costOf(part, known, charge), 0);
        expect(sum).toBe(costOf(slots, known, charge));
      }),
    );
  });
});

describe('judgeSlot', () => {
  it('echoes what is no string, spells what is no address, and judges an address without evidence as not probed', () => {
    const { slots } = sortEntries([{ deep: [1] }, ' No Address ', 'A@good.test']);
    const elements = slots.map((slot) => judgeSlot(slot, []));
    expect(elements).toMatchObject([
      { email: { deep: [1] }, error: 'invalid' },
      { email: 'no address', reason: 'invalid_syntax', score: 0 },
      { email: 'a@good.test', result: 'unknown', reason: 'timeout' },
    ]);
    expect(elements[0]).not.toHaveProperty('result');
  });
});

describe('isFailure', () => {
  const both = sortEntries(['a@good.test', 'b@good.test', 7]);

  it.each([
    ['nothing came back', [], true],
    ['every address came back unprobed', [UNPROBED, UNPROBED], true],
    ['one address was probed', [UNPROBED, ...evidenceOf([['b', 'good.test']])], false],
  ])('knows what it is when %s', (_name, known, failure) => {
    expect(isFailure(both, known)).toBe(failure);
  });

  it('is never the fate of a batch without an address', () => {
    expect(isFailure(sortEntries([7, 'no address']), [])).toBe(false);
  });
});
