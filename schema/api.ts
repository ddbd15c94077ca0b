import * as z from 'zod';

// The bodies of the interface, once: validation, the OpenAPI document and the tests all read them from here.

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
export type Reason = (typeof REASONS)[number];

/** How many entries are allowed is the operator's to say: see `MAX_ADDRESSES`. */
export const verifyRequestSchema = z.object({
  emails: z
    .array(z.unknown())
    .min(1)
    .describe(
      'Entries to verify. A JSON string is trimmed, lower-cased and verified; any other value gets a placeholder in its slot.',
    ),
});

export const verificationResultSchema = z.object({
  email: z.string().describe('The entry, trimmed and lower-cased.'),
  result: z.enum(RESULTS).describe('Raw verdict.'),
  status: z.enum(STATUSES).describe('What to do with the address: the result together with its signals.'),
  score: z.int().min(0).max(100).describe('Confidence; depends only on the other fields of this result.'),
  catch_all: z.boolean().describe('The domain accepts every address, so this one cannot be confirmed.'),
  reason: z.enum(REASONS).nullable().describe('Why the result is not a plain `deliverable`; null if no value fits.'),
  retry_after: z
    .int()
    .min(60)
    .max(86_400)
    .nullable()
    .describe(
      'Seconds to wait before verifying again, after a temporary deferral, or if no server was asked; null if a retry is not advised.',
    ),
  smtp_code: z.int().min(100).max(599).nullable().describe('Code of the reply to RCPT TO; null if there was none.'),
  smtp_enhanced_code: z
    .string()
    .regex(/^[245]\.\d{1,3}\.\d{1,3}$/)
    .nullable()
    .describe('Enhanced status code (RFC 3463) sent next to `smtp_code`; null if there was none.'),
  syntax: z.boolean().describe('The address is valid by RFC 5321 and RFC 6531.'),
  mx_found: z.boolean().describe('The domain publishes a usable MX record.'),
  smtp_check: z.boolean().describe('A mail server talked to us, even if it refused.'),
  disposable: z.boolean().describe('The domain offers disposable mailboxes.'),
  role_based: z.boolean().describe('The local part names a role (info, support), not a person.'),
  free_provider: z.boolean().describe('The domain is a free consumer mailbox provider.'),
  did_you_mean: z.string().nullable().describe('The address with a likely typo of its domain corrected.'),
  mx_records: z.array(z.string()).max(10).describe('MX host names in order of preference, the first ten.'),
});
export type VerificationResult = z.infer<typeof verificationResultSchema>;

/** The slot of an entry that is not a JSON string. */
export const invalidEntrySchema = z.object({
  email: z.unknown().describe('The entry as submitted.'),
  error: z.literal('invalid'),
});
export type InvalidEntry = z.infer<typeof invalidEntrySchema>;

/** Last line of an answer in lines; one without it is incomplete. */
export const closingLineSchema = z.object({
  done: z.literal(true),
  charged: z.int().min(0).describe('Credits this request cost.'),
  returned: z.int().min(0).describe('Credits that were taken for it and refunded.'),
});

export const creditsSchema = z.object({
  credits: z.int().min(0).describe('Credits left; 0 after they have expired.'),
});

/** GET /health, for monitors: needs no key and tells no name. */
export const healthSchema = z.object({
  d1: z.boolean().describe('The database answers.'),
  hosts: z.int().min(0).describe('Connected probe hosts; if the fleet has shards, in the shard with the fewest.'),
  ready: z.int().min(0).describe('Those of them that take new batches.'),
  cronAgeS: z
    .int()
    .min(0)
    .nullable()
    .describe('Seconds since the cron, which runs every minute, last completed; null before its first run.'),
});
export type Health = z.infer<typeof healthSchema>;

export const errorBodySchema = z.object({
  error: z.string().describe('What went wrong, for people.'),
  code: z
    .enum([
      'INVALID_INPUT',
      'TOO_MANY',
      'MISSING_EMAIL',
      'UNAUTHORIZED',
      'NO_CREDITS',
      'RATE_LIMITED',
      'INTERNAL_ERROR',
    ])
    .optional()
    .describe('What went wrong, for programs. Absent on 404, 405, 413 and an unexpected 500.'),
});
