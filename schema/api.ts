import * as z from 'zod';
import { ERROR_CODES } from './words/error-codes.ts';
import { FORM_REASONS, FORM_VERDICTS, FORM_WAIT_S } from './words/form.ts';
import { FIELDS, type Field, type FieldName } from './words/fields.ts';
import { namesOf } from './words/open.ts';
import type { VerificationResult } from './words/result.ts';

// The bodies of the interface, made from the words of the contract: validation, the OpenAPI document and the tests all
// read them from here.

/** How many entries are allowed is the operator's to say: see `MAX_ADDRESSES`. */
export const verifyRequestSchema = z.object({
  emails: z
    .array(z.unknown())
    .min(1)
    .describe(
      'Entries to verify. A JSON string is trimmed, lower-cased and verified; any other value gets a placeholder in its slot.',
    ),
});

type ResultShape = { readonly [Name in FieldName]: z.ZodType<VerificationResult[Name]> };

export const verificationResultSchema = describeResult();

/** The rows of the fields as a schema: the types of both are made from the same rows. */
function describeResult(): z.ZodObject<ResultShape>;
function describeResult(): z.ZodObject {
  return z.object(Object.fromEntries(namesOf(FIELDS).map((name) => [name, describeField(FIELDS[name])])));
}

function describeField(field: Field): z.ZodType {
  const form = formOf(field);
  return (field.nullable ? form.nullable() : form).describe(field.meaning);
}

function formOf(field: Field): z.ZodType {
  switch (field.kind) {
    case 'text':
      return field.pattern === undefined ? z.string() : z.string().regex(field.pattern);
    case 'word':
      return z.enum(field.words);
    case 'flag':
      return z.boolean();
    case 'whole':
      return z.int().min(field.least).max(field.most);
    case 'texts':
      return z.array(z.string()).max(field.most);
  }
}

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

/** POST /api/v1/form. */
export const formRequestSchema = z.object({
  key: z.string().describe('The key of the form, `svc_form_…`. It may stand in a page.'),
  email: z.string().max(1_000).describe('The address.'),
  id: z
    .string()
    .regex(/^[ -~]{1,100}$/)
    .optional()
    .describe(
      'Of your choice, one for each page and address: however often it is sent, the address is charged at most once in 24 hours.',
    ),
  wait: z
    .int()
    .min(FORM_WAIT_S.least)
    .max(FORM_WAIT_S.most)
    .optional()
    .describe(`Seconds until the answer at the latest; ${FORM_WAIT_S.usual} if you do not say.`),
});

export const formAnswerSchema = z.object({
  verdict: z
    .enum(FORM_VERDICTS)
    .describe('`unsure` is all that is not certain: then say nothing, and let the person go on.'),
  reason: z.enum(FORM_REASONS).nullable().describe('Why the address is rejected; null if it is not.'),
  did_you_mean: z.string().nullable().describe('The corrected address if its domain looks mistyped.'),
});

/** GET /health, for monitors: needs no key and tells no name. */
export const healthSchema = z.object({
  problems: z
    .array(z.string())
    .describe('Why requests are not served, the worst first; empty with 200, and never empty with 503.'),
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
    .enum(ERROR_CODES)
    .optional()
    .describe('What went wrong, for programs. Absent on 404, 405, 413 and an unexpected 500.'),
});
