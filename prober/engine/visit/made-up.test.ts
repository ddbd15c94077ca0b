import { expect, test } from 'vitest';
import { fateOf, madeUpLocal, wantsFreshTransaction } from './made-up.ts';
import type { Meaning } from '../meaning/classify.ts';
import type { ReadReply } from '../meaning/outcome.ts';

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
