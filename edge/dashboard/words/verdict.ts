import { sentenceOf } from '../../../schema/words/cases.ts';
import { isKnown, type Open } from '../../../schema/words/open.ts';
import { isWorthAsking, type OpenResult } from '../../../schema/words/result.ts';
import { type Status, STATUSES } from '../../../schema/words/verdicts.ts';
import { duration } from './numbers.ts';

const STATUS_WORDS: Readonly<Record<Status, string>> = {
  valid: 'Valid',
  risky: 'Risky',
  invalid: 'Invalid',
  unknown: 'Unknown',
};

/** A status as people read it; one of a newer service in its own words. */
export function statusWords(status: Open<Status>): string {
  return isKnown(STATUSES, status) ? STATUS_WORDS[status] : sentenceOf(status);
}

/** The class that gives a status its colour; one of a newer service has that of `unknown`. */
export function statusClass(status: Open<Status>): Status {
  return isKnown(STATUSES, status) ? status : 'unknown';
}

/** Such as "Wait: 7 min"; null if asking again would not help. */
export function waitOf(result: OpenResult): string | null {
  return result.retry_after !== null && isWorthAsking(result) ? `Wait: ${duration(result.retry_after)}` : null;
}
