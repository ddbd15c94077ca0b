import { describe, expect, it } from 'vitest';
import { seen } from '../../schema/testing/evidence.ts';
import { scriptedEvidence } from '../testing/worker/outcomes.ts';
import { sortEntries } from './entries.ts';
import { isFailure, judgeSlot, UNPROBED } from './judge.ts';

const unprobed = (why: 'host' | 'deadline' | 'cooldown') => seen({ kind: 'unprobed', why, waitS: null });

describe('judgeSlot', () => {
  it('echoes non-strings, normalizes non-addresses, and treats an address without evidence as not probed', () => {
    const { slots } = sortEntries([{ deep: [1] }, ' No Address ', 'a\u200b@good.test', 'A@good.test\u061c']);
    const elements = slots.map((slot) => judgeSlot(slot, new Map()));
    expect(elements).toMatchObject([
      { email: { deep: [1] }, error: 'invalid' },
      { email: 'no address', reason: 'invalid_syntax', score: 0, did_you_mean: null },
      { email: 'a\u200b@good.test', reason: 'invalid_syntax', did_you_mean: 'a@good.test' },
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
    ['one address was probed', [UNPROBED, scriptedEvidence('good.test') ?? UNPROBED], false],
  ])('is right when %s', (_name, evidence, failure) => {
    const known = new Map(
      both.addresses.slice(0, evidence.length).map(({ index }) => [index, evidence[index] ?? UNPROBED]),
    );
    expect(isFailure(both, known)).toBe(failure);
  });

  it('is false for a batch without an address', () => {
    expect(isFailure(sortEntries([7, 'no address']), new Map())).toBe(false);
  });
});
