import { RcptError, type RcptErrorCode } from '../../../schema/client/index.ts';
import { UnreadableList } from '../../../schema/lists/reading/unreadable.ts';
import { isKnown, namesOf } from '../../../schema/words/open.ts';
import { sentence } from '../words/words.ts';
import { type Ending, Failure } from './failure.ts';

// The client's errors in the words of the command line.

/** How a code ends the command, and what to do if the client's own words name what only a program can do. */
const MEANINGS: Readonly<Record<RcptErrorCode, readonly [ending: Ending, whatToDo?: string]>> = {
  INVALID_INPUT: ['usage'],
  TOO_MANY: ['service', 'The service accepts no entries in a request: contact its operator.'],
  MISSING_EMAIL: ['usage'],
  UNAUTHORIZED: ['key', 'The key may be mistyped, deleted or for another service: run rcpt login.'],
  NO_CREDITS: ['credits', 'Buy credits to continue.'],
  IDEMPOTENCY_IN_PROGRESS: [
    'service',
    'Continue with --resume in some minutes: the service still holds an interrupted request.',
  ],
  IDEMPOTENCY_MISMATCH: ['service', 'Try again: the rows are asked under another key.'],
  IDEMPOTENCY_EXHAUSTED: ['service', 'Try again later: the rows were asked too many times today.'],
  RATE_LIMITED: ['service', 'Wait a minute, or use fewer keys and requests at once.'],
  INTERNAL_ERROR: ['service', 'Try again later; if it persists, tell the operator.'],
  BODY_TOO_LARGE: ['service'],
  FORBIDDEN: ['service'],
  IDEMPOTENCY_LAPSED: ['credits', 'To go on at that price, continue with --resume.'],
  NOT_FOUND: ['service', 'Check --url: the service is not at this address.'],
  BAD_ANSWER: ['service', 'Check --url and any proxies: the response is not from this service.'],
  CONNECTION: ['service', 'Check the network and --url.'],
  TIMEOUT: ['service', 'Try again later.'],
  INCOMPLETE: ['service', 'Try again: rows without an answer are asked again.'],
  CEILING: ['credits', 'To continue, run the same command with --resume and a higher --max-credits.'],
  LIST_CHANGED: [
    'usage',
    'Use the list and the options that the run started with, or delete the journal to start again.',
  ],
  JOURNAL_IN_USE: ['output', 'Wait until the other run has ended.'],
  JOURNAL_BROKEN: ['output', 'Free disk space and check the permissions, then continue with --resume.'],
};

const CODES = namesOf(MEANINGS);

/** For a journal that no error of the system has broken: another program's file has its name. */
const NOT_OURS = 'Move that file elsewhere, then run the same command without --resume.';

/** Of a code that this version does not know, the status tells. */
function ofNewerService({ status, retryable }: RcptError): readonly [ending: Ending, whatToDo?: string] {
  const byStatus: Readonly<Record<number, Ending>> = { 400: 'usage', 401: 'key', 402: 'credits', 403: 'key' };
  const ending = byStatus[status ?? 0] ?? 'service';
  return retryable ? [ending] : [ending, ''];
}

/** What is said of an error of the client; anything else is no expected end and is thrown again. */
export function explain(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof UnreadableList) return new Failure('input', error.message, { cause: error });
  if (!(error instanceof RcptError)) throw error;
  const [ending, usual = error.whatToDo] = isKnown(CODES, error.code) ? MEANINGS[error.code] : ofNewerService(error);
  const whatToDo = error.code === 'JOURNAL_BROKEN' && error.cause === undefined ? NOT_OURS : usual;
  const request = error.requestId === null ? '' : ` (request ${error.requestId})`;
  const message = sentence(error.message.replaceAll(/[\s\p{Cc}]+/gu, ' '));
  return new Failure(ending, `${message}${request}. ${whatToDo}`.trimEnd(), { cause: error });
}
