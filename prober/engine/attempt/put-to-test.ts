import { findingOf, type RcptAnswer, readByControls, type Second } from '../meaning/controls.ts';
import type { RecipientProbe } from '../recipients/recipient.ts';
import { RecipientQueue } from '../recipients/recipient-queue.ts';
import type { TransactionResult } from '../smtp/transaction-plan.ts';
import type { Held } from '../site/worker.ts';
import type { Findings } from './findings.ts';

/** Tests replies by two more RCPTs. @returns the replies before it as read then, and how the test itself ended */
export async function putToTest(
  findings: Findings,
  { session, permit }: Held,
  heard: TransactionResult,
  second: Second<RecipientProbe>,
): Promise<{ readonly result: TransactionResult; readonly last: TransactionResult['ending'] }> {
  session.connection.note(`tested by a made-up mailbox, then ${second.kind}`);
  const { answers, madeUp, ending } = await findings.ask(session, {
    queue: new RecipientQueue([second.recipient], () => findings.hasTime),
    smtpUtf8: heard.answers[0]?.recipient.utf8 ?? false,
    continues: false,
    permit,
    madeUp: 'owed',
    test: second,
  });
  const finding = findingOf(heard.answers, madeUp, { kind: second.kind, answer: answers[0] ?? null });
  session.connection.note(`tested: ${finding}`);
  findings.noteFinding(finding);
  const read = <A extends RcptAnswer>(one: A): A => (madeUp === null ? one : readByControls(one, madeUp, finding));
  const result = {
    ...heard,
    answers: heard.answers.map(read),
    madeUp: heard.madeUp === null ? madeUp && read(madeUp) : read(heard.madeUp),
  };
  return { result, last: ending };
}
