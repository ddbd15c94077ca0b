import { expect, test } from 'vitest';
import { classifyPlainly } from '../../testing/classify-plainly.ts';
import { MailWorld } from '../../testing/mail-world.ts';
import { ACCEPTED, boxes } from '../../testing/one-domain.ts';
import { rawReply } from '../../testing/raw-reply.ts';
import {
  confirmedFate,
  fateOf,
  isDoubtful,
  isRegular,
  madeUpLocal,
  madeUpPerson,
  wantsFreshTransaction,
} from './made-up.ts';
import type { Meaning } from '../meaning/classify.ts';
import { type ReadReply, readReply } from '../meaning/outcome.ts';

function read(code: number, meaning: Meaning, endsSession = false): ReadReply {
  const deferral = code >= 500 ? null : ({ cause: 'full', askedS: 60 } as const);
  return {
    reply: { code, enhanced: null, lines: [''] },
    said: { meaning, deferral, endsSession, demandsTls: false, rule: null, by: 'code' },
  };
}

test.each([
  [250, 'accepted', 'accepted', null],
  [550, 'no_such_mailbox', 'refused', null],
  [550, 'relay_denied', 'refused', null],
  [450, 'deferred', 'greylisting', 60],
  [452, 'mailbox_full', 'greylisting', 60],
  [499, 'mailbox_full', 'greylisting', 60],
  [500, 'mailbox_full', 'unexpected_code', null],
  [552, 'mailbox_full', 'unexpected_code', null],
  [550, 'policy_rejected', 'policy_rejected', null],
  [550, 'unexpected', 'unexpected_code', null],
] as const)('%i, read as %s, tells of the made-up mailbox: %s', (code, meaning, told, askedS) => {
  const fate = fateOf(read(code, meaning));
  const [why, deferral] = fate.kind === 'not_learnt' ? [fate.why, fate.deferral] : [fate.kind, null];
  expect([why, deferral?.askedS ?? null]).toEqual([told, askedS]);
});

test('a second recipient that is refused for its number leaves the session usable, a 421 does not', () => {
  expect(wantsFreshTransaction(452, read(452, 'deferred', true).said)).toBe(true);
  expect(wantsFreshTransaction(421, read(421, 'deferred', true).said)).toBe(false);
  expect(wantsFreshTransaction(452, read(452, 'deferred').said)).toBe(false);
});

test.each([0, 0.5, 0.999_999])('a made-up local part has eighteen letters that can be said, by chance %d', (chance) => {
  expect(madeUpLocal(() => chance)).toMatch(/^([bdfghjklmnprstvz][aeiou]){9}$/);
});

test.each([0, 0.5, 0.999_999])('another made-up local part has the form that people have, by chance %d', (chance) => {
  expect(madeUpPerson(() => chance)).toMatch(/^([bdfghjklmnprstvz][aeiou]){3}\.([bdfghjklmnprstvz][aeiou]){4}\d{4}$/);
});

const heard = (raw: string): ReadReply => readReply(classifyPlainly, 'rcpt', rawReply(raw));

test.each([
  // The words of plain refusals.
  ['550 5.1.1 no such user', [], false, false],
  ['550 5.1.1 <rate.limit@too-many.test>: no such user', [], false, false],
  ['550 5.1.1 no such user, see https://example.com/rate/limit', [], false, false],
  ['550 5.1.1 Error: no such user', [], false, false],
  // Codes of other refusals.
  ['550 5.1.1 no such user', ['550 5.1.1'], false, false],
  ['550 5.1.1 no such user', ['550 5.2.1', '550 5.1.1'], false, false],
  ['550 5.1.1 no such user', ['554 5.1.1'], false, true],
  ['550 5.1.1 no such user', ['550 5.2.1'], false, true],
  ['550 no such user', ['550 5.1.1'], false, true],
  // Words about rate.
  ['550 5.1.1 no such user at this rate', [], false, true],
  ['550 5.1.1 no such user (limit reached)', ['550 5.1.1'], false, true],
  ['550 5.1.1 throttled: no such user', [], false, true],
  ['550 5.1.1 you ask too fast, no such user', [], false, true],
  // What came before.
  ['550 5.1.1 no such user', ['550 5.1.1'], true, true],
])('"%s" after refusals by %j, suspect %s: doubtful %s', (raw, refusals, suspect, doubtful) => {
  expect(isDoubtful(heard(raw), new Set(refusals), suspect)).toBe(doubtful);
});

test.each([
  ['', false],
  ['R', false],
  ['RRRR', false],
  ['ARA', false], // a list of three with one that is gone looks the same
  ['ARARA', true],
  ['ARARARA', true],
  ['ARARRA', false],
  ['ARARARR', false],
  ['AARAARAA', true],
  ['AARAAAAA', false],
  ['AARAARA', false],
])('a refusal of the made-up mailbox after %s falls at a regular interval: %s', (before, regular) => {
  const answers = Array.from(before, (one) => heard(one === 'R' ? '550 no such user' : '250 ok'));
  expect(isRegular(answers)).toBe(regular);
});

test.each([
  ['550 5.1.1 no such user', 'refused'],
  ['250 ok', 'accepted'],
  ['550 5.2.1 no such user', 'unexpected_code'],
  ['550 no such user', 'unexpected_code'],
  ['550 5.1.1 no such user at this rate', 'policy_rejected'],
  ['550 5.7.1 blocked', 'policy_rejected'],
  ['450 4.2.0 greylisted', 'greylisting'],
])('if the first was doubtful, "%s" to the second tells: %s', (raw, told) => {
  const fate = confirmedFate(heard('550 5.1.1 no such user'), heard(raw));
  expect(fate.kind === 'not_learnt' ? fate.why : fate.kind).toBe(told);
});

test.each([1, 2, 3, 4, 5, 10])(
  'with %i addresses that exist the made-up mailbox costs one round trip, with those left to ask',
  async (count) => {
    const oneWayMs = 25;
    const world = new MailWorld({}, oneWayMs);
    world.domain('d.test', { greeting: '220 mx.test ESMTP Postfix\r\n', mailboxes: boxes(count) });
    expect(await world.outcomes(boxes(count))).toEqual(boxes(count).map(() => ACCEPTED));
    // TCP, greeting, EHLO, the first group, and one for all the rest.
    expect(world.clock.now() / (2 * oneWayMs)).toBe(5);
  },
);
