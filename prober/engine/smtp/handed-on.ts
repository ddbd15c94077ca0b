import type { RcptReply } from './transaction-result.ts';
import { names } from './desync.ts';

/**
 * The answers that count. Haraka's `delay_deny` hands a plugin's refusal of one recipient to the next that the server
 * accepts: after a refusal that names its recipient, those that name nobody may be another's. They are not counted. The
 * next transaction begins with these recipients, and takes their refusals at their word.
 */
export function withoutHandedOn(answers: readonly RcptReply[], domain: string): readonly RcptReply[] {
  const namesIts = ({ reply, recipient }: RcptReply): boolean =>
    names(reply.lines.join('\n').toLowerCase(), `${recipient.local}@${domain}`);
  const first = answers.find(({ reply }) => reply.code >= 500);
  if (first === undefined || !namesIts(first)) return answers;
  return answers.filter((answer) => answer.said.meaning !== 'no_such_mailbox' || namesIts(answer));
}
