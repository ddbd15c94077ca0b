import { describe, expect, it } from 'vitest';
import { claimOf } from '../../../schema/outcomes.ts';
import { DELIVERABLE } from '../../../schema/testing/evidence.ts';
import { afterCompared, isApart, isOdd, isOut, NEW_TALLY, type Odd, oddAmong, type Said, type Tally } from './rules.ts';

const said = (...words: readonly Said['word'][]): readonly Said[] => words.map((word, n) => ({ host: `h${n}`, word }));

describe('the host that stands out', () => {
  it.each<[string, readonly Said[], Readonly<Record<string, string>>]>([
    ['of three', said('accepts', 'refuses', 'accepts'), { h1: 'differs' }],
    ['of two cannot be told: both are apart', said('accepts', 'refuses'), { h0: 'apart', h1: 'apart' }],
    ['of three that all differ cannot be told', said('accepts', 'refuses', 'denies'), {}],
    ['of three that agree does not exist', said('refuses', 'refuses', 'refuses'), {}],
    ['of two that agree does not exist', said('denies', 'denies'), {}],
    ['is one whose look-up fails, beside two', said('fails', 'accepts', 'accepts'), { h0: 'fails' }],
    ['is one whose look-up fails, beside one', said('denies', 'fails'), { h1: 'fails' }],
    ['is never the only one that knows', said('fails', 'refuses', 'fails'), { h0: 'fails', h2: 'fails' }],
    ['does not exist where nobody knows', said('fails', 'fails', 'fails'), {}],
    [
      'of two that differ beside a failed look-up',
      said('accepts', 'fails', 'denies'),
      { h0: 'apart', h1: 'fails', h2: 'apart' },
    ],
  ])('%s', (_what, words, expected) => {
    expect(Object.fromEntries(oddAmong(words))).toEqual(expected);
  });

  it.each([
    ['the mailbox exists, and a made-up one does not', DELIVERABLE, 'accepts'],
    ['every mailbox is accepted', { ...DELIVERABLE, madeUp: { kind: 'accepted' } }, 'catch_all'],
    ['the provider accepts every mailbox', { ...DELIVERABLE, madeUp: { kind: 'provider_accepts_all' } }, null],
    ['the domain does not exist', { kind: 'no_mail_domain', why: 'nxdomain' }, 'denies'],
    ['the lookup failed', { kind: 'mx_lookup_failed' }, 'fails'],
    ['nobody greeted', { kind: 'timeout', greeted: false }, null],
    ['the sender is refused', { kind: 'mail_from_rejected' }, null],
  ] as const)('is judged only by findings that do not depend on the host: %s', (_what, outcome, word) => {
    expect(claimOf(outcome)).toBe(word);
  });
});

/** @param asked for each comparison in which it stood out: account and owner of the domain */
function tallyAfter(agreed: number, asked: readonly (readonly [account: number, zone: number])[], how: Odd): Tally {
  let tally = NEW_TALLY;
  for (const [account, zone] of asked) tally = afterCompared(tally, how, { account, zone, silentAtMs: null });
  for (let n = 0; n < agreed; n += 1) tally = afterCompared(tally, null, { account: 9, zone: 9, silentAtMs: null });
  return tally;
}

const times = (n: number, accounts: number) => Array.from({ length: n }, (_, zone) => [zone % accounts, zone] as const);

describe('a host', () => {
  const ofOneZone = times(5, 3).map(([account]) => [account, 7] as const);

  it.each<[string, Tally, 'out' | 'suspect' | 'apart' | 'fine']>([
    [
      'is out when it stood alone five times in a hundred, for three accounts',
      tallyAfter(95, times(5, 3), 'differs'),
      'out',
    ],
    ['is out when it was silent as often', tallyAfter(95, times(5, 3), 'silent'), 'out'],
    ['is fine again if that was longer ago', tallyAfter(99, times(5, 3), 'differs'), 'fine'],
    ['is fine after four times', tallyAfter(0, times(4, 3), 'differs'), 'fine'],
    ['is suspect, and not put out, for two accounts', tallyAfter(0, times(5, 2), 'differs'), 'suspect'],
    ['is suspect for one account', tallyAfter(0, times(50, 1), 'differs'), 'suspect'],
    ['is fine for the owner of one domain', tallyAfter(0, ofOneZone, 'differs'), 'fine'],
    ['is fine after look-ups that fail now and then', tallyAfter(80, times(19, 3), 'fails'), 'fine'],
    ['is out when a fifth of its look-ups fail, and of no other', tallyAfter(80, times(20, 3), 'fails'), 'out'],
    ['is suspect when they fail for one account', tallyAfter(0, times(90, 1), 'fails'), 'suspect'],
    ['that is busy is fine', tallyAfter(0, times(50, 5), 'busy'), 'fine'],
    ['that differs from the only other one is shown', tallyAfter(95, times(5, 1), 'apart'), 'apart'],
    ['that did so for one owner of domains is fine', tallyAfter(0, ofOneZone, 'apart'), 'fine'],
  ])('%s', (_what, tally, expected) => {
    const known = isOut(tally) ? 'out' : isOdd(tally) ? 'suspect' : isApart(tally) ? 'apart' : 'fine';
    expect(known).toBe(expected);
  });
});
