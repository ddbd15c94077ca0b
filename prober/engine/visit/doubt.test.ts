import { expect, test } from 'vitest';
import { classifyPlainly } from '../../testing/classify-plainly.ts';
import { rawReply } from '../../testing/raw-reply.ts';
import { readReply } from '../meaning/outcome.ts';
import { createRecipientProbe } from '../recipients/recipient-probe.ts';
import type { RcptReply, TransactionEnd, TransactionResult } from '../session/transaction-result.ts';
import { doubtOf, isConfirmed } from './doubt.ts';

// A refusal that came in a session of others is believed if it comes again, and neither session can have had enough.

const recipient = createRecipientProbe('u', false, 0);
const POLICY = '550 5.7.1 not welcome';

const answered = (raw: string): RcptReply => ({
  ...readReply(classifyPlainly, 'rcpt', rawReply(raw)),
  masked: null,
  recipient,
});
const result = (raws: readonly string[], ending: TransactionEnd = { kind: 'finished' }): TransactionResult => ({
  answers: raws.map(answered),
  madeUp: null,
  ending,
  second: null,
});

test.each<[string, number, TransactionResult, boolean]>([
  ['said again in another session', 5, result([POLICY]), true],
  ['said again, the first session having judged none since', 2, result([POLICY]), false],
  ['said again, the first session having judged only before', 1, result([POLICY]), false],
  ['said again, the first session having judged nobody', -1, result([POLICY]), false],
  ['said again beside a mailbox that is there', 5, result(['250 2.1.5 ok', POLICY]), true],
  ['said in other words of the same kind', 5, result(['550 5.7.1 go away']), true],
  ['said with another code', 5, result(['554 5.7.1 not welcome']), false],
  ['said with another enhanced code', 5, result(['550 5.7.0 not welcome']), false],
  ['followed by something else', 5, result([POLICY, '450 4.3.2 busy']), false],
  ['the last word of its session', 5, result([POLICY], { kind: 'over' }), false],
])('what was said in turn 2 of a session, and then %s', (_what, judgedTurn, then, isBelieved) => {
  const first = { turn: 2, judgedTurn: 1 };
  const doubt = doubtOf(first, [answered(POLICY)]);
  first.judgedTurn = judgedTurn;
  expect(isConfirmed(doubt, { turn: 3, judgedTurn: 2 }, then)).toBe(isBelieved);
});

test('no session confirms itself', () => {
  const session = { turn: 2, judgedTurn: 1 };
  const doubt = doubtOf(session, [answered(POLICY)]);
  session.judgedTurn = 4;
  expect(isConfirmed(doubt, session, result([POLICY]))).toBe(false);
});
