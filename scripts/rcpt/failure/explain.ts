import { RcptError } from '../../../schema/client/index.ts';
import { problemOf, UNREADABLE } from '../../../schema/list-job/problems.ts';
import { UnreadableList } from '../../../schema/lists/reading/unreadable.ts';
import { sentence } from '../words/words.ts';
import { Failure } from './failure.ts';

/** For a journal that no error of the system has broken: another program's file has its name. */
const NOT_OURS = 'Move that file elsewhere, then run the same command without --resume.';

/**
 * What is said of an error of the client, or of a list; anything else is no expected end and is thrown again.
 * @param about the name of the list, if it is to be said
 */
export function explain(error: unknown, about = ''): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof UnreadableList) {
    const [ending, remedy] = UNREADABLE[error.problem];
    return new Failure(ending, `${about}${error.message}${remedy}`, { cause: error });
  }
  if (!(error instanceof RcptError)) throw error;
  const { ending, remedy } = problemOf(error);
  const whatToDo = error.code === 'JOURNAL_BROKEN' && error.cause === undefined ? NOT_OURS : remedy;
  const request = error.requestId === null ? '' : ` (request ${error.requestId})`;
  const message = sentence(error.message.replaceAll(/[\s\p{Cc}]+/gu, ' '));
  return new Failure(ending, `${message}${request}. ${whatToDo}`.trimEnd(), { cause: error });
}
