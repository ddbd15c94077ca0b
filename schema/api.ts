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
export const verifyRequestSchema = z.object({ emails: z.array(z.unknown()).min(1) });

export const verificationResultSchema = z.object({
  email: z.string(),
  result: z.enum(RESULTS),
  status: z.enum(STATUSES),
  score: z.int().min(0).max(100),
  catch_all: z.boolean(),
  reason: z.enum(REASONS).nullable(),
  retry_after: z.int().min(60).max(86_400).nullable(),
  smtp_code: z.int().nullable(),
  smtp_enhanced_code: z.string().nullable(),
  syntax: z.boolean(),
  mx_found: z.boolean(),
  smtp_check: z.boolean(),
  disposable: z.boolean(),
  role_based: z.boolean(),
  free_provider: z.boolean(),
  did_you_mean: z.string().nullable(),
  mx_records: z.array(z.string()).max(10),
});
export type VerificationResult = z.infer<typeof verificationResultSchema>;

/** The slot of an entry that is no JSON string. */
export const invalidEntrySchema = z.object({ email: z.unknown(), error: z.literal('invalid') });
export type InvalidEntry = z.infer<typeof invalidEntrySchema>;

export const creditsSchema = z.object({ credits: z.int().min(0) });

export const errorBodySchema = z.object({
  error: z.string(),
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
    .optional(),
});
