import { describe, expect, it } from 'vitest';
import { DELIVERABLE } from '../../../schema/testing/evidence.ts';
import { afterCompared, aloneAmong, isOut, NEW_TALLY, type Said, type Tally, wordOf } from './rules.ts';

const said = (...words: readonly Said['word'][]): readonly Said[] => words.map((word, n) => ({ host: `h${n}`, word }));

describe('the host that stands alone', () => {
  it.each([
    ['of three', said('accepts', 'refuses', 'accepts'), 'h1'],
    ['of two cannot be told', said('accepts', 'refuses'), null],
    ['of three that all differ cannot be told', said('accepts', 'refuses', 'denies'), null],
    ['of three that agree does not exist', said('refuses', 'refuses', 'refuses'), null],
  ])('%s', (_what, words, expected) => {
    expect(aloneAmong(words)).toBe(expected);
  });

  it.each([
    ['the mailbox exists, and a made-up one does not', DELIVERABLE, 'accepts'],
    ['every mailbox is accepted', { ...DELIVERABLE, madeUp: { kind: 'accepted' } }, 'catch_all'],
    ['the provider accepts every mailbox', { ...DELIVERABLE, madeUp: { kind: 'provider_accepts_all' } }, null],
    ['the domain does not exist', { kind: 'no_mail_domain', why: 'nxdomain' }, 'denies'],
    ['the lookup failed, as it does now and then', { kind: 'mx_lookup_failed' }, null],
    ['nobody greeted', { kind: 'timeout', greeted: false }, null],
    ['the sender is refused', { kind: 'mail_from_rejected' }, null],
  ] as const)('is judged only by findings that do not depend on the host: %s', (_what, outcome, word) => {
    expect(wordOf(outcome)).toBe(word);
  });
});

/** @param asked for each comparison in which it stood alone: account and owner of the domain */
function tallyAfter(agreed: number, asked: readonly (readonly [account: number, zone: number])[]): Tally {
  let tally = NEW_TALLY;
  for (const [account, zone] of asked)
    tally = afterCompared(tally, true, { account, zone, silentAtMs: null, isBusy: false });
  for (let n = 0; n < agreed; n += 1)
    tally = afterCompared(tally, false, { account: 9, zone: 9, silentAtMs: null, isBusy: false });
  return tally;
}

describe('a host', () => {
  const FIVE = [1, 2, 3, 1, 2].map((account, zone) => [account, zone] as const);

  it.each([
    ['is out when it stood alone five times in a hundred, for three accounts', 95, FIVE, true],
    ['is not out if that was longer ago', 99, FIVE, false],
    ['is not out after four times', 0, FIVE.slice(0, 4), false],
    ['is not put out by two accounts', 0, FIVE.map(([account, zone]) => [account % 2, zone] as const), false],
    ['is not put out by the owner of one domain', 0, FIVE.map(([account]) => [account, 7] as const), false],
  ])('%s', (_what, agreed, asked, expected) => {
    expect(isOut(tallyAfter(agreed, asked))).toBe(expected);
  });
});
