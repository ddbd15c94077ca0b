import { expect, test } from 'vitest';
import type { Labelled } from './labelled.ts';
import { judgeWithControls } from './with-controls.ts';

const of = (raw: string, expected: Labelled['expected'], stage: Labelled['stage'] = 'rcpt'): Labelled => ({
  id: raw,
  raw,
  stage,
  expected,
  also: [],
});

test.each([
  ['550 zzyzx <user@example.com>', 'no_such_mailbox', 'no_such_mailbox'],
  ['550-zzyzx\n550 user@example.com', 'no_such_mailbox', 'no_such_mailbox'],
  ['550 zzyzx', 'policy_rejected', 'unexpected'],
  ['550 no such user', 'policy_rejected', 'no_such_mailbox'],
  ['550 zzyzx', 'mailbox_full', 'unexpected'],
  ['452 4.2.2 mailbox full', 'mailbox_full', 'mailbox_full'],
  ['450 greylisted', 'greylisting', 'greylisting'],
  ['450 later', 'deferred', 'deferred'],
  ['250 ok', 'accepted', 'accepted'],
] as const)('%s, that is %s, is judged %s beside others', async (raw, expected, got) => {
  expect(await judgeWithControls(of(raw, expected))).toBe(got);
});

test('a greeting is none of its business', async () => {
  expect(await judgeWithControls(of('554 zzyzx', 'policy_rejected', 'banner'))).toBeNull();
});
