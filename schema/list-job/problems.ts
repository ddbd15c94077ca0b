import type { RcptError, RcptErrorCode } from '../client/index.ts';
import type { Problem } from '../lists/reading/unreadable.ts';
import { isKnown, namesOf } from '../words/open.ts';

// What can go wrong with a list, one row each.

/** How the command can end besides 0, with the number that a shell sees, and what `--help` says of it. 1 is a bug. */
export const EXIT_CODES = {
  usage: [2, 'wrong usage; nothing was asked'],
  input: [3, 'the list cannot be read'],
  credits: [4, 'not enough credits, or --max-credits is reached'],
  key: [5, 'no API key, or the service refuses it'],
  service: [6, 'the service cannot be reached, or gave up'],
  output: [7, 'the output or the journal cannot be written'],
} as const satisfies Readonly<Record<string, readonly [code: number, meaning: string]>>;

export type Ending = keyof typeof EXIT_CODES;

/** `remedy`: at the command line; null: the client's own. `says`: in the pages; null: the client's own message. */
type Meaning = readonly [ending: Ending, remedy: string | null, says: string | null];

const ODD = 'The service did not answer as it should. Please try again in a minute.';
const AWAY = 'The service cannot be reached right now. The results so far are kept.';
const RESUMED = 'Continue with --resume in some minutes: the service still holds an interrupted request.';
const CHANGED = 'Use the list and the options that the run started with, or delete the journal to start again.';
const FULL =
  'The browser could not keep the results: its storage may be full, or closed to this site. What it has kept is safe.';
const LOST =
  'The connection broke before the cost of some requests was known, so the agreed price may already be used up.';

const RUNS: Readonly<Record<RcptErrorCode, Meaning>> = {
  INVALID_INPUT: ['usage', null, ODD],
  TOO_MANY: ['service', 'The service accepts no entries in a request: contact its operator.', ODD],
  MISSING_EMAIL: ['usage', null, ODD],
  UNAUTHORIZED: [
    'key',
    'The key may be mistyped, deleted or for another service: run rcpt login.',
    'You were signed out. Sign in again to resume: the results so far are kept.',
  ],
  NO_CREDITS: ['credits', 'Buy credits to continue, or if a cap is named, raise it.', 'The rest needs more credits.'],
  IDEMPOTENCY_IN_PROGRESS: ['service', RESUMED, ODD],
  IDEMPOTENCY_MISMATCH: ['service', 'Try again: the rows are asked under another key.', ODD],
  IDEMPOTENCY_EXHAUSTED: ['service', 'Try again later: the rows were asked too many times today.', ODD],
  RATE_LIMITED: [
    'service',
    'Wait a minute, or use fewer keys and requests at once.',
    'The service is busy, or your account verifies in too many places at once. Please try again in a minute.',
  ],
  INTERNAL_ERROR: [
    'service',
    'Try again later; if it persists, tell the operator.',
    'The service cannot verify right now. What it did not answer costs nothing. Please try again in a minute.',
  ],
  BODY_TOO_LARGE: ['service', null, ODD],
  FORBIDDEN: ['service', null, 'Your network blocks the service: a proxy or firewall on the way refused the request.'],
  IDEMPOTENCY_LAPSED: ['credits', 'To go on at that price, continue with --resume.', null],
  NOT_FOUND: ['service', 'Check --url: the service is not at this address.', ODD],
  BAD_ANSWER: ['service', 'Check --url and any proxies: the response is not from this service.', ODD],
  CONNECTION: ['service', 'Check the network and --url.', AWAY],
  TIMEOUT: ['service', 'Try again later.', AWAY],
  INCOMPLETE: ['service', 'Try again: rows without an answer are asked again.', AWAY],
  CEILING: ['credits', 'To continue, run the same command with --resume and a higher --max-credits.', LOST],
  LIST_CHANGED: ['usage', CHANGED, 'This is not the file that the list was started with.'],
  JOURNAL_IN_USE: ['output', '', 'This list is being verified in another tab.'],
  JOURNAL_BROKEN: ['output', 'Free disk space and check the permissions, then continue with --resume.', FULL],
};

const CODES = namesOf(RUNS);
const BY_STATUS: Readonly<Record<number, Ending>> = { 400: 'usage', 401: 'key', 402: 'credits', 403: 'key' };

/** Of a code that this version does not know, the status tells, and the service's own message is shown. Pure. */
export function problemOf({ code, status, retryable, whatToDo, message }: RcptError) {
  const newer: Meaning = [BY_STATUS[status ?? 0] ?? 'service', retryable ? null : '', null];
  const [ending, remedy, says] = isKnown(CODES, code) ? RUNS[code] : newer;
  return { ending, remedy: remedy ?? whatToDo, says: says ?? message };
}

/** Of a list that cannot be read: what helps at the command line, after the message. */
export const UNREADABLE: Readonly<Record<Problem, readonly [ending: Ending, remedy: string]>> = {
  'not a list': ['input', ''],
  encoding: ['input', ' Say how it is written with --encoding.'],
  'unknown encoding': ['usage', ' Try --encoding windows-1252 or utf-16le.'],
  damaged: ['input', ''],
  'no such sheet': ['usage', ' Name one with --sheet.'],
  unclear: ['usage', ''],
  changed: ['input', ' Restore it and continue with --resume.'],
  'too large': ['input', ''],
};
