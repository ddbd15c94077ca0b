import * as z from 'zod';
import { HOST_NAME, HOST_NAME_CHARS_MAX, MX_RECORDS_MAX } from './host-name.ts';

// Evidence is what a probe host saw of one address. It never says what that means for the caller: verdict.ts does.
// A host is not trusted: every string it sends is bounded and matched against a pattern here.

/** `isHostName` as a schema. */
export const hostNameSchema = z.string().min(1).max(HOST_NAME_CHARS_MAX).regex(HOST_NAME);

/** One SMTP reply without its text: code (RFC 5321 §4.2) and the enhanced status code next to it (RFC 3463). */
const replySchema = z.object({
  code: z.int().min(100).max(599),
  enhanced: z
    .string()
    .regex(/^[245]\.\d{1,3}\.\d{1,3}$/)
    .nullable(),
});
export type SmtpReply = z.infer<typeof replySchema>;

/** A temporary refusal. `askedS` is the wait in seconds that the server's own words gave or are known to mean, null if neither. */
const deferralSchema = z.object({
  cause: z.enum(['greylisting', 'busy', 'full']),
  askedS: z.int().min(0).max(31_536_000).nullable(),
});
export type Deferral = z.infer<typeof deferralSchema>;

/** What stopped us from learning the fate of the made-up mailbox: a subset of the interface's reasons. */
const notLearntSchema = z.enum([
  'greylisting',
  'policy_rejected',
  'timeout',
  'connection_error',
  'protocol_error',
  'unexpected_code',
]);

const madeUpSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('accepted') }),
  z.object({ kind: z.literal('refused') }),
  /** Not asked about: the provider is known to accept everyone at RCPT and to refuse after DATA. */
  z.object({ kind: z.literal('provider_accepts_all') }),
  z.object({ kind: z.literal('not_learnt'), why: notLearntSchema, deferral: deferralSchema.nullable() }),
]);
export type MadeUpFate = z.infer<typeof madeUpSchema>;

const greeted = z.boolean();

const outcomeSchema = z.discriminatedUnion('kind', [
  // About the domain, from DNS alone.
  z.object({
    kind: z.literal('no_mail_domain'),
    why: z.enum(['nxdomain', 'null_mx', 'address_literal', 'no_records', 'implicit_mx_silent']),
  }),
  z.object({ kind: z.literal('mx_lookup_failed') }),
  z.object({ kind: z.literal('mx_hosts_missing') }),
  z.object({ kind: z.literal('mx_private') }),
  z.object({ kind: z.literal('provider_blocks_probe') }),
  // About the servers, before the mailbox could be asked about.
  z.object({ kind: z.literal('connection_error'), greeted }),
  z.object({ kind: z.literal('timeout'), greeted }),
  z.object({ kind: z.literal('no_banner'), refused: z.boolean() }),
  z.object({ kind: z.literal('ehlo_rejected') }),
  z.object({ kind: z.literal('mail_from_rejected') }),
  z.object({ kind: z.literal('deferred'), deferral: deferralSchema }),
  z.object({ kind: z.literal('no_smtputf8') }),
  // About the reply to RCPT.
  z.object({ kind: z.literal('rcpt_deferred'), reply: replySchema, deferral: deferralSchema }),
  z.object({ kind: z.literal('policy_rejected'), reply: replySchema }),
  z.object({ kind: z.literal('mailbox_full'), reply: replySchema, deferral: deferralSchema.nullable() }),
  z.object({
    kind: z.literal('no_such_mailbox'),
    reply: replySchema,
    /** Its words and code do not say so: the server refuses made-up mailboxes alike, and accepts others. Absent: they do. */
    basis: z.literal('controls').exactOptional(),
  }),
  z.object({ kind: z.literal('accepted'), reply: replySchema, madeUp: madeUpSchema }),
  // Replies that explain nothing.
  z.object({ kind: z.literal('protocol_error'), reply: replySchema.nullable(), greeted }),
  z.object({ kind: z.literal('unexpected_code'), reply: replySchema }),
  // No command named the address, and nothing is known of its domain. The credit goes back.
  z.object({
    kind: z.literal('unprobed'),
    why: z.enum(['deadline', 'cooldown', 'host']),
    waitS: z.int().min(0).max(86_400).nullable(),
  }),
  // The domain's owner does not want it probed, so nobody was asked anything. The edge's own word: no host says it.
  z.object({ kind: z.literal('opted_out') }),
]);
export type Outcome = z.infer<typeof outcomeSchema>;

/** What the address itself tells, without asking anyone. `typoOf` is the domain that was probably meant. */
export const signalsSchema = z.object({
  disposable: z.boolean(),
  free: z.boolean(),
  role: z.boolean(),
  typoOf: hostNameSchema.nullable(),
});
export type Signals = z.infer<typeof signalsSchema>;

export const evidenceSchema = z.object({
  /** Published MX host names in preference order, the first ten; empty for an implicit MX. */
  mx: z.array(hostNameSchema).max(MX_RECORDS_MAX),
  /** At least one published MX host has a globally routable address. */
  mxFound: z.boolean(),
  signals: signalsSchema,
  outcome: outcomeSchema,
});
export type Evidence = z.infer<typeof evidenceSchema>;
