import { describe, expect, it } from 'vitest';
import { seen } from '../../schema/testing/evidence.ts';
import { scriptedEvidence } from '../testing/worker/outcomes.ts';
import { sortEntries } from './entries.ts';
import { isFailure, judgeSlot, UNPROBED } from './judge.ts';

const evidenceOf = (addresses: ReadonlyArray<readonly [string, string]>) =>
  addresses.map(([, domain]) => scriptedEvidence(domain) ?? UNPROBED);

const unprobed = (why: 'host' | 'deadline' | 'cooldown') => seen({ kind: 'unprobed', why, waitS: null });

describe('judgeSlot', () => {
  it('echoes what is not a string, spells what is not an address, and judges an address without evidence as not probed', () => {
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
    ['hosts that cannot work said so', [unprobed('host'), unprobed('deadline')], true],
    ['receivers are left alone for now', [unprobed('cooldown'), unprobed('cooldown')], false],
    ['one receiver is left alone, the rest is our fault', [unprobed('cooldown'), unprobed('host')], false],
    ['one address was probed', [UNPROBED, ...evidenceOf([['b', 'good.test']])], false],
  ])('knows what it is when %s', (_name, known, failure) => {
    expect(isFailure(both, known)).toBe(failure);
  });

  it('is never the fate of a batch without an address', () => {
    expect(isFailure(sortEntries([7, 'no address']), [])).toBe(false);
  });
});
