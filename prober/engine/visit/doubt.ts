import type { ReadReply } from '../meaning/outcome.ts';
import type { Session } from '../session/session.ts';
import type { TransactionResult } from '../session/transaction-result.ts';
import { isOfAllSessions } from './trust.ts';

type Turns = Pick<Session, 'turn' | 'judgedTurn'>;

/** What a session that had served others said to a domain, and no mailbox's judgement was. */
export type Doubt = {
  readonly session: Turns;
  readonly turn: number;
  /** What was said, by what it means. */
  readonly said: ReadonlySet<string>;
};

export function doubtOf(session: Turns, answers: readonly ReadReply[]): Doubt {
  const said = new Set(answers.filter((answer) => !isOfAllSessions(answer)).map(likenessOf));
  return { session, turn: session.turn, said };
}

/**
 * Whether the same was said again in another session, and the first went on to judge another domain's mailbox: then it was
 * meant for this domain, and neither session had had enough.
 */
export function isConfirmed(doubt: Doubt, session: Turns, { answers, madeUp, ending }: TransactionResult): boolean {
  if (ending.kind !== 'finished' || session === doubt.session || doubt.session.judgedTurn <= doubt.turn) return false;
  const said = madeUp === null ? answers : [...answers, madeUp];
  return said.every((answer) => isOfAllSessions(answer) || doubt.said.has(likenessOf(answer)));
}

/** Equal for replies alike. */
function likenessOf({ reply, said }: ReadReply): string {
  return `${said.meaning} ${reply.code} ${reply.enhanced ?? ''} ${said.endsSession ? 'ends' : ''}`;
}
