import { REASONS } from './reasons.ts';
import { RESULTS, STATUSES } from './verdicts.ts';

// The fields of a result, one row for each: all that reads or writes a result is made from these.

export type Field = { readonly nullable: boolean; readonly meaning: string } & (
  | { readonly kind: 'text'; readonly pattern?: RegExp }
  /** One of a list that may grow. */
  | { readonly kind: 'word'; readonly words: readonly string[] }
  | { readonly kind: 'flag' }
  | { readonly kind: 'whole'; readonly least: number; readonly most: number }
  | { readonly kind: 'texts'; readonly most: number }
);

export const FIELDS = {
  email: { kind: 'text', nullable: false, meaning: 'The entry, trimmed and lower-cased.' },
  result: { kind: 'word', words: RESULTS, nullable: false, meaning: 'Raw verdict.' },
  status: {
    kind: 'word',
    words: STATUSES,
    nullable: false,
    meaning: 'What to do with the address: the result together with its signals.',
  },
  score: {
    kind: 'whole',
    least: 0,
    most: 100,
    nullable: false,
    meaning: 'Confidence; depends only on the other fields of this result.',
  },
  catch_all: {
    kind: 'flag',
    nullable: false,
    meaning: 'The domain accepts every address, so this one cannot be confirmed.',
  },
  reason: {
    kind: 'word',
    words: REASONS,
    nullable: true,
    meaning: 'Why the result is not a plain `deliverable`; null if no value fits.',
  },
  retry_after: {
    kind: 'whole',
    least: 60,
    most: 86_400,
    nullable: true,
    meaning:
      'Seconds to wait before verifying again, after a temporary deferral, or if no server was asked; null if a retry is not advised.',
  },
  smtp_code: {
    kind: 'whole',
    least: 100,
    most: 599,
    nullable: true,
    meaning: 'Code of the reply to RCPT TO; null if there was none.',
  },
  smtp_enhanced_code: {
    kind: 'text',
    pattern: /^[245]\.\d{1,3}\.\d{1,3}$/,
    nullable: true,
    meaning: 'Enhanced status code (RFC 3463) sent next to `smtp_code`; null if there was none.',
  },
  syntax: { kind: 'flag', nullable: false, meaning: 'The address is valid by RFC 5321 and RFC 6531.' },
  mx_found: { kind: 'flag', nullable: false, meaning: 'The domain publishes a usable MX record.' },
  smtp_check: { kind: 'flag', nullable: false, meaning: 'A mail server talked to us, even if it refused.' },
  disposable: { kind: 'flag', nullable: false, meaning: 'The domain offers disposable mailboxes.' },
  role_based: {
    kind: 'flag',
    nullable: false,
    meaning: 'The local part names a role (info, support), not a person.',
  },
  free_provider: { kind: 'flag', nullable: false, meaning: 'The domain is a free consumer mailbox provider.' },
  did_you_mean: {
    kind: 'text',
    nullable: true,
    meaning: 'The address with a likely typo of its domain corrected, or without an invisible mark in its local part.',
  },
  mx_records: {
    kind: 'texts',
    most: 10,
    nullable: false,
    meaning: 'MX host names in order of preference, the first ten.',
  },
} as const satisfies Readonly<Record<string, Field>>;

export type FieldName = keyof typeof FIELDS;
