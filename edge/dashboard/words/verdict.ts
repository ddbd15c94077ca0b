import type { Reason, Status, VerificationResult } from '../../../schema/client/index.ts';
import { duration } from './numbers.ts';

// What a result means to a person, and what to do about it.

export type Explanation = {
  /** A few words, such as "The mailbox exists". */
  readonly title: string;
  /** A sentence or two: what was seen. */
  readonly meaning: string;
  readonly advice: string;
};

export const STATUS_WORDS: Readonly<Record<Status, string>> = {
  valid: 'Valid',
  risky: 'Risky',
  invalid: 'Invalid',
  unknown: 'Unknown',
};

export type Case = Reason | 'exists' | 'refused' | 'unprobed' | 'opted_out' | 'mx_missing';

const CASES: Readonly<Record<Case, Explanation>> = {
  exists: {
    title: 'The mailbox exists',
    meaning: 'Its mail server accepts this recipient and refuses one that was made up.',
    advice: 'You can write to it.',
  },
  refused: {
    title: 'The mailbox does not exist',
    meaning: 'Its mail server refused this recipient for good.',
    advice: 'Take it off your list: a message would bounce.',
  },
  invalid_syntax: {
    title: 'Not an email address',
    meaning: 'It breaks the rules for how an address is written, so no server could be asked.',
    advice: 'Look for a typing mistake, or take it off your list. It costs nothing.',
  },
  no_mx: {
    title: 'The domain takes no mail',
    meaning: 'It does not exist, or it says that it has no mail server.',
    advice: 'Take it off your list, unless the domain is mistyped.',
  },
  mx_missing: {
    title: 'The domain’s mail servers do not exist',
    meaning: 'The domain names mail servers, but not one of them has an address.',
    advice: 'Take it off your list: no message can arrive.',
  },
  mx_private_ip: {
    title: 'The mail server is not on the internet',
    meaning: 'The domain names mail servers that only a private network could reach.',
    advice: 'Take it off your list: no message can arrive.',
  },
  mx_unresolved: {
    title: 'The domain’s name servers did not answer',
    meaning: 'Which server takes its mail could not be looked up.',
    advice: 'Try again later. This is usually over within hours.',
  },
  accept_all: {
    title: 'The domain accepts every address',
    meaning: 'Its mail server accepted this recipient, but it accepted one that was made up as well.',
    advice: 'The mailbox may exist, and nobody can tell. Write only if you know where the address comes from.',
  },
  provider_blocks_probe: {
    title: 'This provider cannot be checked',
    meaning: 'The provider blocks every attempt to verify a mailbox, so none was made.',
    advice: 'The address is well formed and the provider is real. Keep it, and see how your own mail to it fares.',
  },
  mailbox_full: {
    title: 'The mailbox exists, but it is full',
    meaning: 'Its mail server knows the recipient and has no room for more mail.',
    advice: 'A message would bounce today. Often nobody reads such a mailbox any more.',
  },
  greylisting: {
    title: 'The server says to try later',
    meaning: 'Its mail server is busy, or defers callers that it does not know yet.',
    advice: 'The mailbox likely exists: try again after the wait.',
  },
  timeout: {
    title: 'The mail server did not answer in time',
    meaning: 'It took the connection, or should have, and then said nothing.',
    advice: 'Try again later. If that does not change, treat the address as risky.',
  },
  unprobed: {
    title: 'Not asked yet',
    meaning: 'Time ran out, or its mail server had asked for a pause, before this address had its turn.',
    advice: 'Try again after the wait. It has cost nothing.',
  },
  opted_out: {
    title: 'The domain asked us not to check it',
    meaning: 'Its owner does not want its mailboxes to be probed, so nobody was asked.',
    advice: 'This says nothing about the mailbox, and the credit was returned. Trying again does not help.',
  },
  connection_error: {
    title: 'The mail server could not be reached',
    meaning: 'The connection was refused, or broke before there was an answer.',
    advice: 'Try again later. If that does not change, treat the address as risky.',
  },
  no_banner: {
    title: 'The mail server would not talk to us',
    meaning: 'It took the connection and never greeted, or it turned us away at once.',
    advice: 'This says nothing about the mailbox, and the credit was returned. Trying again is unlikely to help.',
  },
  ehlo_rejected: {
    title: 'The mail server would not talk to us',
    meaning: 'It refused our greeting, before it looked at the address.',
    advice: 'This says nothing about the mailbox, and the credit was returned. Trying again is unlikely to help.',
  },
  mail_from_rejected: {
    title: 'The mail server would not talk to us',
    meaning: 'It refused us as a sender, before it looked at the address.',
    advice: 'This says nothing about the mailbox, and the credit was returned. Trying again is unlikely to help.',
  },
  policy_rejected: {
    title: 'The mail server refused us, not the address',
    meaning: 'Its rules turned us away, and it did not say whether the mailbox exists.',
    advice: 'This says nothing about the mailbox, and the credit was returned. Trying again is unlikely to help.',
  },
  protocol_error: {
    title: 'The mail server’s answer made no sense',
    meaning: 'What it said was not an answer that a mail server may give.',
    advice: 'Try again later. If that does not change, treat the address as risky.',
  },
  unexpected_code: {
    title: 'The mail server’s answer is unclear',
    meaning: 'Its answer names neither the mailbox nor us as the cause.',
    advice: 'Try again later. If that does not change, treat the address as risky.',
  },
};

/** What tells one case from another. Pure. */
export function caseOf(result: VerificationResult): Case {
  const { reason } = result;
  if (reason === null) return result.result === 'undeliverable' ? 'refused' : 'exists';
  if (reason === 'mx_unresolved' && result.result === 'undeliverable') return 'mx_missing';
  if (reason === 'timeout' && !result.smtp_check && result.retry_after !== null) return 'unprobed';
  if (reason === 'policy_rejected' && !result.smtp_check) return 'opted_out';
  return reason;
}

/** What the result means, with the doubts that a good mailbox can be in. Pure. */
export function explain(result: VerificationResult): Explanation {
  const known = CASES[caseOf(result)];
  if (result.result !== 'deliverable' || result.reason === 'mailbox_full') return known;
  if (result.disposable)
    return {
      title: 'A disposable mailbox',
      meaning: 'The mailbox exists now, at a provider whose mailboxes are meant to be thrown away.',
      advice: 'Do not count on it: it may be gone tomorrow.',
    };
  if (result.reason !== null)
    return {
      title: 'Accepted, with a doubt',
      meaning: 'Its mail server accepts this recipient, but whether it accepts every address could not be learnt.',
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

/** What a reason means by itself, for the documentation. */
export function explainReason(reason: Reason): Explanation {
  return CASES[reason];
}

/** The credit comes back where the server, or the domain's owner, turned us away before the address was looked at. */
export const RETURNED_REASONS: ReadonlySet<Case> = new Set([
  'opted_out',
  'policy_rejected',
  'no_banner',
  'ehlo_rejected',
  'mail_from_rejected',
]);

/** What the address has cost. */
export function costOf(result: VerificationResult): 'free' | 'returned' | 'charged' {
  const kind = caseOf(result);
  if (kind === 'invalid_syntax') return 'free';
  if (kind === 'unprobed') return 'returned';
  return RETURNED_REASONS.has(kind) && result.result === 'unknown' ? 'returned' : 'charged';
}

/** Such as "Wait: 7 min"; null if asking again would not help. */
export function waitOf({ retry_after, reason }: VerificationResult): string | null {
  return retry_after === null || reason === 'mailbox_full' ? null : `Wait: ${duration(retry_after)}`;
}
