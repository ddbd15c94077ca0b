// What the service says of an address. The client's own copy of the interface, so that it imports nothing; a test
// compares it with the service's.

export const RESULTS = ['deliverable', 'undeliverable', 'catch-all', 'unknown'] as const;
export const STATUSES = ['valid', 'risky', 'invalid', 'unknown'] as const;
export const REASONS = [
  'accept_all',
  'connection_error',
  'ehlo_rejected',
  'greylisting',
  'invalid_syntax',
  'mail_from_rejected',
  'mailbox_full',
  'mx_private_ip',
  'mx_unresolved',
  'no_banner',
  'no_mx',
  'policy_rejected',
  'protocol_error',
  'provider_blocks_probe',
  'timeout',
  'unexpected_code',
] as const;

export type Result = (typeof RESULTS)[number];
export type Status = (typeof STATUSES)[number];
export type Reason = (typeof REASONS)[number];

/** The verdict on one address, with the signals that it was made from. */
export type VerificationResult = {
  /** The address, trimmed and lower-cased. */
  email: string;
  /** The raw verdict. */
  result: Result;
  /** What to do with the address. */
  status: Status;
  /** Confidence, 0 to 100. */
  score: number;
  /** The domain accepts every address, so this one cannot be confirmed. */
  catch_all: boolean;
  /** Why it is not plainly deliverable; null if nothing fits. */
  reason: Reason | null;
  /** Seconds to wait before asking again; null if that is not advised. */
  retry_after: number | null;
  /** Code of the reply to RCPT TO; null if there was none. */
  smtp_code: number | null;
  /** Enhanced status code (RFC 3463) next to it. */
  smtp_enhanced_code: string | null;
  /** The address is valid by RFC 5321 and RFC 6531. */
  syntax: boolean;
  /** The domain publishes a usable MX record. */
  mx_found: boolean;
  /** A mail server talked to the service, whatever it said. */
  smtp_check: boolean;
  /** The domain offers disposable mailboxes. */
  disposable: boolean;
  /** The local part names a role, not a person. */
  role_based: boolean;
  /** The domain is a free consumer mailbox provider. */
  free_provider: boolean;
  /** The address with a likely typo of its domain corrected. */
  did_you_mean: string | null;
  /** MX host names in order of preference, the first ten. */
  mx_records: string[];
};

/** The spelling that a result echoes. */
export function spelling(email: string): string {
  return email.trim().toLowerCase();
}

/** No command named the address: the time was over, or its server had asked for a rest. It cost nothing. */
export function isUnprobed({ result, reason, smtp_check, retry_after }: VerificationResult): boolean {
  return result === 'unknown' && reason === 'timeout' && !smtp_check && retry_after !== null;
}

/** Whether asking again later may tell more: it was put off for now. A full mailbox is an answer. */
export function isWorthAsking({ reason, retry_after }: VerificationResult): boolean {
  return retry_after !== null && reason !== 'mailbox_full';
}

/** What the service says of an entry that is not an address. */
export function notAnAddress(email: string): VerificationResult {
  return {
    email: spelling(email),
    result: 'undeliverable',
    status: 'invalid',
    score: 0,
    catch_all: false,
    reason: 'invalid_syntax',
    retry_after: null,
    smtp_code: null,
    smtp_enhanced_code: null,
    syntax: false,
    mx_found: false,
    smtp_check: false,
    disposable: false,
    role_based: false,
    free_provider: false,
    did_you_mean: null,
    mx_records: [],
  };
}
