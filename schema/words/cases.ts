import { isKnown, namesOf, type Open } from './open.ts';
import { type Explanation, REASON_ROWS, REASONS } from './reasons.ts';
import { isUnprobed, type OpenResult } from './result.ts';
import { RESULTS } from './verdicts.ts';

// What a result means to a person. Some reasons have two meanings, and some results have no reason: a case tells them apart.

const CASES = {
  ...REASON_ROWS,
  exists: {
    title: 'The mailbox exists',
    meaning: 'Its mail server accepts this recipient and refuses one that we made up.',
    advice: 'You can write to it.',
  },
  refused: {
    title: 'The mailbox does not exist',
    meaning: 'Its mail server refused this recipient for good.',
    advice: 'Take it off your list: a message would bounce.',
  },
  mx_missing: {
    title: 'The domain’s mail servers do not exist',
    meaning: 'The domain names mail servers, but not one of them has an address.',
    advice: 'Take it off your list: no message can arrive.',
  },
  unprobed: {
    title: 'Not asked yet',
    meaning: 'Time ran out, or its mail server asked us to pause, before this address was checked.',
    advice: 'Try again after the wait. It cost nothing.',
  },
  opted_out: {
    title: 'The domain asked us not to check it',
    meaning: 'Its owner does not want its mailboxes probed, so we did not ask.',
    advice: 'This says nothing about the mailbox, and the credit was returned. Trying again does not help.',
  },
} as const satisfies Readonly<Record<string, Explanation>>;

export type Case = keyof typeof CASES;
const NAMES = namesOf(CASES);

/** The name of the case; an unknown word is in quotes, since it may be the name of a case. Pure. */
function caseOf(result: OpenResult): Open<Case> {
  const { reason } = result;
  if (reason === null) {
    if (result.result === 'deliverable') return 'exists';
    return result.result === 'undeliverable' ? 'refused' : `"${result.result}"`;
  }
  if (!isKnown(REASONS, reason)) return `"${reason}"`;
  if (reason === 'mx_unresolved' && result.result === 'undeliverable') return 'mx_missing';
  if (isUnprobed(result)) return 'unprobed';
  if (reason === 'policy_rejected' && !result.smtp_check) return 'opted_out';
  return reason;
}

/** What the result means, with the doubts that a good mailbox can be in. Pure. */
export function explain(result: OpenResult): Explanation {
  const kind = caseOf(result);
  if (!isKnown(NAMES, kind)) return inItsOwnWords(kind.slice(1, -1));
  const known = CASES[kind];
  if (result.result !== 'deliverable' || result.reason === 'mailbox_full') return known;
  if (result.disposable)
    return {
      title: 'A disposable mailbox',
      meaning: 'The mailbox exists now, at a provider of disposable mailboxes.',
      advice: 'Do not count on it: it may be gone tomorrow.',
    };
  if (result.reason !== null)
    return {
      title: 'Accepted, with some doubt',
      meaning: 'Its mail server accepts this recipient, but we could not find out whether it accepts every address.',
      advice: 'The mailbox probably exists.',
    };
  if (result.role_based)
    return {
      title: 'The mailbox exists, for a role',
      meaning: 'It belongs to a function such as info or support rather than to a person.',
      advice: 'Fine for business, poor for newsletters: several people may read it, and complain.',
    };
  return known;
}

/** What a word of a newer service says, as far as anyone can tell: `not_yet_known` → "Not yet known". */
function inItsOwnWords(word: string): Explanation {
  return {
    title: sentenceOf(word),
    meaning: `The service returned \`${word}\`, which this version does not know.`,
    advice: 'Go by the status and the score.',
  };
}

/** A word as people read it: `not_yet_known` → "Not yet known". */
export function sentenceOf(word: string): string {
  const spaced = word.replaceAll('_', ' ');
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/**
 * What the address has cost: nothing, a credit that came back, or a credit. Null: this version does not know the
 * reason or the result, and the bill of the request says. Pure.
 */
export function costOf(result: OpenResult): 'free' | 'returned' | 'charged' | null {
  const { reason } = result;
  if (reason === null) return isKnown(RESULTS, result.result) ? 'charged' : null;
  if (isUnprobed(result)) return 'returned';
  if (!isKnown(REASONS, reason)) return null;
  const { credit } = REASON_ROWS[reason];
  return credit === 'returned' && result.result !== 'unknown' ? 'charged' : credit;
}
