import type { FormReason } from './form.ts';
import { isKnown, namesOf } from './open.ts';

// Why a verdict is not a plain `deliverable`: one row for each reason, with what it costs and what it means to a person.

export type Explanation = {
  /** A few words, such as "The mailbox exists". */
  readonly title: string;
  /** A sentence or two: what was seen. */
  readonly meaning: string;
  readonly advice: string;
};

type Row = Explanation & {
  /** `returned`: the credit comes back if the result is `unknown`. `free`: nothing was probed, and nothing is charged. */
  readonly credit: 'charged' | 'returned' | 'free';
  /** Why a form rejects an address that is `undeliverable` for it; null: no address is. */
  readonly form: FormReason | null;
};

/** The server refused us before it looked at the address. */
const TURNED_AWAY = {
  credit: 'returned',
  form: null,
  title: 'The mail server would not talk to us',
  advice: 'This says nothing about the mailbox, and the credit was returned. Trying again is unlikely to help.',
} as const;
const FOR_LATER = {
  credit: 'charged',
  form: null,
  advice: 'Try again later. If that does not change, treat the address as risky.',
} as const;

export const REASON_ROWS = {
  accept_all: {
    credit: 'charged',
    form: null,
    title: 'The domain accepts every address',
    meaning: 'Its mail server accepts this recipient, but also one that we made up.',
    advice: 'The mailbox may or may not exist. Write only if you know where the address comes from.',
  },
  connection_error: {
    ...FOR_LATER,
    title: 'The mail server could not be reached',
    meaning: 'The connection was refused, or broke before there was an answer.',
  },
  ehlo_rejected: { ...TURNED_AWAY, meaning: 'It refused our greeting, before it looked at the address.' },
  greylisting: {
    credit: 'charged',
    form: null,
    title: 'The server says to try later',
    meaning: 'Its mail server is busy, or defers callers that it does not know yet.',
    advice: 'The mailbox likely exists: try again after the wait.',
  },
  invalid_syntax: {
    credit: 'free',
    form: 'invalid_syntax',
    title: 'Not an email address',
    meaning: 'It breaks the rules for how an address is written, so no server could be asked.',
    advice: 'Look for a typing mistake, or for two addresses in one cell. It costs nothing.',
  },
  mail_from_rejected: { ...TURNED_AWAY, meaning: 'It refused us as a sender, before it looked at the address.' },
  mailbox_full: {
    credit: 'charged',
    form: null,
    title: 'The mailbox exists, but it is full',
    meaning: 'Its mail server knows the recipient and has no room for more mail.',
    advice: 'A message would bounce today. Often nobody reads such a mailbox any more.',
  },
  mx_private_ip: {
    credit: 'charged',
    form: 'no_mail_domain',
    title: 'The mail server is not on the internet',
    meaning: 'The domain names mail servers that only a private network could reach.',
    advice: 'Take it off your list: no message can arrive.',
  },
  mx_unresolved: {
    credit: 'charged',
    form: 'no_mail_domain',
    title: 'The domain’s name servers did not answer',
    meaning: 'Which server takes its mail could not be looked up.',
    advice: 'Try again later. This usually ends within hours.',
  },
  no_banner: {
    ...TURNED_AWAY,
    meaning: 'It accepted the connection but never greeted us, or it turned us away at once.',
  },
  no_mx: {
    credit: 'charged',
    form: 'no_mail_domain',
    title: 'The domain takes no mail',
    meaning: 'It does not exist, or it says that it has no mail server.',
    advice: 'Take it off your list, unless the domain is mistyped.',
  },
  policy_rejected: {
    ...TURNED_AWAY,
    title: 'The mail server refused us, not the address',
    meaning: 'Its rules turned us away, and it did not say whether the mailbox exists.',
  },
  protocol_error: {
    ...FOR_LATER,
    title: 'The mail server’s answer made no sense',
    meaning: 'What it said is not a valid reply of a mail server.',
  },
  provider_blocks_probe: {
    credit: 'charged',
    form: null,
    title: 'This provider cannot be checked',
    meaning: 'The provider blocks every attempt to verify a mailbox, so none was made.',
    advice:
      'The address is well formed and the provider is real. Keep it, and see whether your own mail to it arrives.',
  },
  timeout: {
    ...FOR_LATER,
    title: 'The mail server did not answer in time',
    meaning: 'It did not accept the connection, or it accepted it and then said nothing.',
  },
  unexpected_code: {
    ...FOR_LATER,
    title: 'The mail server’s answer is unclear',
    meaning: 'Its answer names neither the mailbox nor us as the cause.',
  },
} as const satisfies Readonly<Record<string, Row>>;

export type Reason = keyof typeof REASON_ROWS;
export const REASONS = namesOf(REASON_ROWS);

/** Its server turns us away, or its provider turns everyone away: another try meets the same. */
export function isTurnedAway(reason: string): boolean {
  return isKnown(REASONS, reason) && (REASON_ROWS[reason].credit === 'returned' || reason === 'provider_blocks_probe');
}
