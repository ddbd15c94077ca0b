import * as z from 'zod';
import { parseAddress } from './address.ts';
import { edgeSettingsSchema, hostIdSchema } from './enrolment.ts';
import { invitationHashSchema } from './join.ts';
import { publicJwkSchema } from './jwk.ts';
import { egressTroubleSchema, refusalSchema } from './link.ts';
import { signInAddressSchema } from './sign-in-address.ts';
import { DISPUTE_STATES, HOST_STATES, ORDER_STATES, ROLES, SHOWN_KINDS } from './words/stored.ts';

// The bodies and names of the operator's API, once: the edge validates with them, the command line reads its answers
// with them. Bodies refuse unknown members, so that a misspelt one is seen.

/** Every body is far smaller. */
export const ADMIN_BODY_BYTES_MAX = 16_384;
/** What one purchase or correction may move. */
export const GRANT_MAX = 1_000_000_000;
export const STATEMENT_ROWS_MAX = 500;

// Names are in paths and so in audit rows. An API key has at least 39 characters and an email address an @ and a dot:
// neither can pass for one of these by mistake.
export const accountIdSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,31}$/, 'an account id is lower-case letters, digits, _ and -, at most 32');
export const keyIdSchema = z
  .string()
  .regex(/^key_[A-Za-z0-9]{8,28}$/, 'a key id is key_ and 8 to 28 letters or digits (it is not the key itself)');
export const purchaseIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,35}$/, 'a purchase id is letters, digits, _ and -, at most 36')
  .refine((id) => id !== 'welcome', 'this purchase id stands for welcome credits: choose another');

/** One line of plain text. */
export const words = (max: number) =>
  z
    .string()
    .trim()
    .min(1, `must have 1 to ${max} characters`)
    .max(max, `must have 1 to ${max} characters`)
    .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u, 'must be a single line of plain text');

export const accountBodySchema = z.strictObject({ name: words(100) });
/** Whose an account is: somebody who signs in by this address. */
export const ownerBodySchema = z.strictObject({ email: signInAddressSchema });
/** Credits that a live key may spend, a day and a month (UTC); null: any number. */
export const capsSchema = z.strictObject({ dayCap: capSchema(), monthCap: capSchema() });
export const keyBodySchema = z.strictObject({
  accountId: accountIdSchema,
  label: words(64),
  caps: capsSchema.optional(),
});

function capSchema() {
  return z.int().min(1).max(GRANT_MAX).nullable();
}

/** Credits bought. */
export const grantBodySchema = z.strictObject({
  credits: z.int().min(1, 'must be at least 1: a correction takes credits back').max(GRANT_MAX),
});
/** The two sides of an account's books: they are equal. */
export const CORRECTED_SIDES = ['balance', 'ledger'] as const;
export type CorrectedSide = (typeof CORRECTED_SIDES)[number];
/** Credits given back; negative takes some away. `only`: corrects one side, up to the other. */
export const correctionBodySchema = z.strictObject({
  credits: z
    .int()
    .min(-GRANT_MAX)
    .max(GRANT_MAX)
    .refine((credits) => credits !== 0, 'must not be 0'),
  only: z.enum(CORRECTED_SIDES, { error: `must be one of ${CORRECTED_SIDES.join(', ')}` }).exactOptional(),
});
/** Strict: a private key sent by mistake is refused in words, not dropped in silence. */
export const hostBodySchema = z.strictObject({ publicKey: publicJwkSchema.strict() });
/** The SHA-256 of an invitation that the operator has made: the edge never sees it before it is used. */
export const invitationBodySchema = z.strictObject({
  hash: invitationHashSchema,
  /** Ends every other invitation of this host that is still open. */
  again: z.boolean().exactOptional(),
});
export const hostStateBodySchema = z.strictObject({ state: z.enum(['active', 'draining']) });

/** The number of parent names that are looked up, for a domain of any depth. */
export const OPT_OUT_LABELS_MAX = 6;

/** A domain name of two labels or more, as people write it; its A-labels. */
export const optOutDomainSchema = z
  .string()
  .max(1_000)
  .transform((text) => domainToOptOut(text))
  .refine((domain) => domain !== '', 'a domain has at least two labels, such as example.com')
  .refine(
    (domain) => domain.split('.').length <= OPT_OUT_LABELS_MAX,
    'a domain on this list has at most 6 labels: list its parent domain',
  );

/** '' for what is not one. */
function domainToOptOut(text: string): string {
  const address = parseAddress(`x@${text}`);
  return address?.domainKind === 'name' && address.domain.includes('.') ? address.domain : '';
}

/**
 * A domain that is not to be probed, its subdomains included. The nonce is random and is thrown away: with it the digest
 * of the request, which the audit keeps, does not tell which domain it was.
 */
export const optOutBodySchema = z.strictObject({
  domain: optOutDomainSchema,
  nonce: z.string().regex(/^[A-Za-z0-9_-]{22}$/, 'a nonce is 16 random bytes in base64url'),
});

const time = z.iso.datetime();
const count = z.int().min(0);

/** An API key without its secret. `lastUsed` is a day; null before the first call. */
const keySchema = z.object({
  id: z.string(),
  accountId: z.string(),
  label: z.string(),
  hint: z.string(),
  createdAt: time,
  lastUsed: z.iso.date().nullable(),
  /** Who made it: an email address. Null for an operator, and for somebody who was deleted. */
  madeBy: z.string().nullable(),
});
export type KeyEntry = z.infer<typeof keySchema>;
/** The only answer that ever has the key itself. */
export const newKeySchema = keySchema.extend({ key: z.string() });
export const deletedKeySchema = z.object({ id: z.string(), deleted: z.literal(true) });

export const accountSchema = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: time,
  /** The number of the database that it is in. */
  database: count,
  /** What the owner reads: 0 once expired. */
  credits: count,
  /** What the ledger's rows add up to. */
  balance: count,
  expiresAt: time.nullable(),
  keys: z.array(keySchema),
  /** Who shares it, in the order in which they joined; at most 500. */
  people: z.array(z.object({ email: z.string(), role: z.enum(ROLES), joinedAt: time })),
  /** The last day on which something was verified; null if nothing ever was, or not for 400 days. */
  lastUse: z.iso.date().nullable(),
  /** Batches in progress. */
  openHolds: z.object({ batches: count, credits: count }),
  /** Batches returned whole, by day, newest first, of the last 30 days that have any. */
  refundDays: z.array(z.object({ day: z.iso.date(), batches: count })),
});
export type Account = z.infer<typeof accountSchema>;

export const ACCOUNTS_MAX = 500;
/** One page of all accounts, by id. */
export const accountsSchema = z.object({
  accounts: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      createdAt: time,
      /** What the owner reads: 0 once expired. Null if the account's database does not answer; so are the next two. */
      credits: count.nullable(),
      expiresAt: time.nullable(),
      keys: count.nullable(),
      people: count,
      /** As in an account. */
      lastUse: z.iso.date().nullable(),
    }),
  ),
  /** The id after which the next page begins; null on the last. */
  next: z.string().nullable(),
  /** Databases of accounts on this page that do not answer: `DB_1`. */
  missing: z.array(z.string()),
});
export type Accounts = z.infer<typeof accountsSchema>;
/** What accounts are searched by: a part of the id or of the name, in any case. */
export const searchSchema = words(100);

export const ORDERS_MAX = 500;
const orderSchema = z.object({
  id: z.string(),
  accountId: z.string(),
  credits: count,
  /** Whole minor units (cents) without tax. */
  amount: count,
  currency: z.string(),
  state: z.enum(ORDER_STATES),
  createdAt: time,
  paidAt: time.nullable(),
  /** What Stripe gave back in all, in minor units, with its tax. */
  refunded: count,
  /** Null: never disputed. */
  dispute: z.enum(DISPUTE_STATES).nullable(),
  /** Stripe's names for the checkout and for the payment. */
  checkoutId: z.string().nullable(),
  paymentId: z.string().nullable(),
});
export type OrderOfAccount = z.infer<typeof orderSchema>;
/** One page of orders, newest first. */
export const ordersSchema = z.object({
  orders: z.array(orderSchema),
  /** Names the next, older page; null on the last. */
  next: z.string().nullable(),
});
export type OrdersPage = z.infer<typeof ordersSchema>;
export const ownerSchema = z.object({ accountId: z.string(), email: z.string(), role: z.literal('owner') });

export const statementSchema = z.object({
  rows: z.array(z.object({ at: time, kind: z.enum(SHOWN_KINDS), ref: z.string(), delta: z.int(), balance: z.int() })),
  /** Names the next, older page; null on the last. */
  next: z.string().nullable(),
});
export type Statement = z.infer<typeof statementSchema>;

export const grantSchema = z.object({
  accountId: z.string(),
  purchaseId: z.string(),
  kind: z.enum(['purchase', 'correction']),
  credits: z.int(),
  /** False: this purchase id was booked before, and nothing was changed now. */
  booked: z.boolean(),
  /** The account as it now is. */
  balance: count,
  expiresAt: time.nullable(),
});
export type Grant = z.infer<typeof grantSchema>;

const hostSchema = z.object({
  id: z.string(),
  state: z.enum(HOST_STATES),
  createdAt: time,
  /** Processes connected; null if a Fleet object could not be asked. */
  instances: count.nullable(),
  healthy: z.boolean().nullable(),
  /** Why it is not healthy, or may not be; null: nothing is known against it, or it is not connected. */
  why: z.string().nullable(),
  jobs: count.nullable(),
  /** Those connected, the newest first. */
  processes: z.array(
    z.object({
      version: z.string(),
      egress: z.array(z.string()),
      startedAt: time,
      seenAt: time,
      draining: z.boolean(),
      healthy: z.boolean(),
      jobs: count,
      /** When a mail server last talked to it for a job; null: none has yet. */
      reachedAt: time.nullable(),
      /** Mail servers' addresses that it leaves alone for now, counted at each address of its own. */
      cooling: count,
      /** Large providers that block it: an address of ours is burned there. */
      refusals: z.array(refusalSchema),
      /** What else receivers hold against its addresses. */
      egressTroubles: z.array(egressTroubleSchema).optional(),
    }),
  ),
  /** When it was last connected; null if it never was. */
  lastSeen: time.nullable(),
  /** The last time that it was not let in, or would not take a job; null if that never happened. */
  lastRefusal: z.object({ at: time, why: z.string() }).nullable(),
  /** When its processes of the last hour began to serve, twenty at most. */
  starts: z.array(time),
});
export type HostEntry = z.infer<typeof hostSchema>;
export const hostsSchema = z.object({ hosts: z.array(hostSchema) });
/** What an enrolment file needs to know of the edge. */
export const enrolledSchema = edgeSettingsSchema.extend({ id: hostIdSchema, state: z.enum(HOST_STATES) });
/** What is kept of a domain that opted out. */
export const optOutSchema = z.object({ hash: z.string(), createdAt: time });
export type OptOut = z.infer<typeof optOutSchema>;
export const optOutsSchema = z.object({ optOuts: z.array(optOutSchema) });
export const removedOptOutSchema = z.object({ hash: z.string(), removed: z.literal(true) });
/** Domains that an isolate can cache in memory: some 100 bytes each. */
export const OPT_OUTS_MAX = 10_000;
export const invitedSchema = z.object({ id: hostIdSchema, expiresAt: time });
export const hostStateSchema = z.object({ id: z.string(), state: z.enum(HOST_STATES) });

const countsByName = z.array(z.record(z.string(), z.number()));
/** How the service did; null where that is unknown. */
export const overviewSchema = z.object({
  /** By the minute for an hour, the newest first: `schema/words/traffic.ts`. */
  minutes: countsByName.nullable(),
  /** By the hour for a week. */
  hours: countsByName.nullable(),
});
export type Overview = z.infer<typeof overviewSchema>;

/** The claims of an operator's token, besides `aud`: all of them are demanded. Times are seconds. */
export const operatorClaimsSchema = z.object({
  iss: z.string(),
  sub: z.string(),
  aud: z.string(),
  iat: z.int(),
  exp: z.int(),
  jti: z.string().regex(/^[A-Za-z0-9_-]{16,64}$/),
  /** base64url SHA-256 over `METHOD`, LF, path with query, LF and the body's bytes. */
  req: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
});
export const TOKEN_LIFE_MAX_S = 60;
/** No `@`: an audit row has no addresses. */
export const operatorNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'an operator is letters, digits, . _ and -, at most 64');
/** The secret OPERATOR_KEYS. */
export const operatorKeysSchema = z.record(operatorNameSchema, publicJwkSchema);
