import { expect, test } from 'vitest';
import { classifyPlainly } from '../../testing/classify-plainly.ts';
import { rawReply } from '../../testing/raw-reply.ts';
import type { Classified } from './classify.ts';
import { isAboutClient, outcomeBeforeRcpt, readReply } from './outcome.ts';

const SAID: Classified = {
  meaning: 'policy_rejected',
  deferral: null,
  endsSession: false,
  demandsTls: false,
  rule: null,
  by: 'code',
};

test.each([
  [199, 'unexpected_code'],
  [354, 'unexpected_code'],
  [399, 'unexpected_code'],
  [400, 'deferred'],
  [499, 'deferred'],
  [500, 'ehlo_rejected'],
  [599, 'ehlo_rejected'],
])('before RCPT a %i is %s', (code, kind) => {
  const reply = { code, enhanced: null, lines: [''] };
  expect(outcomeBeforeRcpt({ reply, said: SAID }, { kind: 'ehlo_rejected' }).kind).toBe(kind);
});

test.each([
  ['421 later', true],
  ['450 4.7.1 later', true],
  ['450 4.7.1 greylisted', false],
  ['450 4.3.0 later', false],
  ['450 later', false],
  ['550 5.7.1 no', true],
  ['500 5.7.1 no', true],
  ['550 5.7.1 no such user', true],
  ['550 5.1.1 no such user', false],
  ['550 5.7.1 relay denied', false],
  ['550 no', false],
  ['530 5.7.0 STARTTLS first', false],
  ['250 2.1.5 ok', false],
])('whether %j says that we ask too much or are not welcome: %j', (raw, about) => {
  expect(isAboutClient(readReply(classifyPlainly, 'rcpt', rawReply(raw)))).toBe(about);
});
