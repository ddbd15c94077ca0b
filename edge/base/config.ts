import * as z from 'zod';
import { GRANT_MAX, operatorKeysSchema } from '../../schema/admin.ts';
import { SHARDS_MAX, signingKeysSchema } from '../../schema/enrolment.ts';
import { parseJson } from '../../schema/parse-json.ts';

// The Worker's variables and secrets, proven once: nothing else reads one.

const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .pipe(z.int().min(min).max(max));
const list = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(z.string().min(1)).min(1));
/** Of a secret that stands behind keys: as much as the hash that it keys, so that it cannot be guessed. */
const SECRET_BYTES_MIN = 32;
const isLongEnough = (secret: string): boolean => new TextEncoder().encode(secret).length >= SECRET_BYTES_MIN;

/** As many as one hexadecimal digit tells apart: the first character of a key (`access/key.ts`). */
const DATABASES_MAX = 16;

/** What the keys begin with that the pages' own calls carry: nobody reads one, so nobody names it. */
export const PAGE_KEY_PREFIX = 'svc_page_';
/** What the keys of forms begin with, and the test keys among them. */
export const FORM_KEY_PREFIX = 'svc_form_';
export const FORM_TEST_KEY_PREFIX = 'svc_formtest_';

/** A page of the operator's own, which the foot of the dashboard links to; empty: no link. */
const ownPage = z.union([z.literal(''), z.url({ protocol: /^https$/ }).max(500)]).default('');

/** A whole text of JSON that a schema proves. */
const json = <T>(schema: z.ZodType<T>) => z.string().transform(parseJson).pipe(schema);
const keyPrefix = z.string().regex(/^[a-z0-9_]{1,32}$/);
const packSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]{1,32}$/),
  credits: z.int().min(1).max(GRANT_MAX),
  amount: z.int().min(1).max(99_999_999),
  currency: z.string().regex(/^[a-z]{3}$/),
});

const configSchema = z.object({
  /** Entries that one request may have; with more it is refused with 400 TOO_MANY. */
  MAX_ADDRESSES: whole(1, 500).default(500),
  /** What costs a credit: each distinct address that is probed, or each entry of the request, duplicates too. */
  CHARGE: z.enum(['probed', 'entries']).default('probed'),
  /** Requests a minute and key; with 0 there is no limit, and no RateLimit headers. */
  RATE_LIMIT: whole(0, 1_000_000).default(60),
  /**
   * Requests a minute with all keys of an account. With 0, or if RATE_LIMIT is 0, there is no such limit.
   */
  ACCOUNT_RATE_LIMIT: whole(0, 1_000_000).default(1_200),
  /** Addresses under way at once in all batches of an account; with 0 there is no bound. */
  MAX_IN_FLIGHT: whole(0, 999_999_999).default(10_000),
  /** The same of an account that never bought credits nor got them from an operator; with 0 it has the bound of all. */
  MAX_IN_FLIGHT_FREE: whole(0, 999_999_999).default(1_000),
  /** With 'on' the older forms are served too: GET /api/v1/verify?email= and POST /api/v1/verify/bulk. */
  LEGACY: z.enum(['off', 'on']).default('off'),
  /** What every API key begins with. Keys of an earlier prefix are refused from the change on. */
  KEY_PREFIX: keyPrefix.default('svc_live_'),
  /** The same of test keys, which are answered from the sandbox's table; another one than KEY_PREFIX. */
  TEST_KEY_PREFIX: keyPrefix.default('svc_test_'),
  /** Bytes of a request's body; a longer one is refused with 413. */
  MAX_BODY_BYTES: whole(1, 10_000_000).default(51_200),
  /** Seconds after which a batch is answered with what is known by then. */
  BATCH_DEADLINE_S: whole(5, 600).default(90),
  /** Seconds after the batch deadline until a hold that nobody settled is returned whole. */
  HOLD_GRACE_S: whole(1, 86_400).default(120),
  /** How many D1 databases share the accounts: `DB`, then `DB_1` and so on. It may grow, and never shrinks. */
  LEDGER_DATABASES: whole(1, DATABASES_MAX).default(1),
  /** How many Fleet objects share the batches. A change reaches every host with its next hello. */
  FLEET_SHARDS: whole(1, SHARDS_MAX).default(1),
  /**
   * One probed address in this many is also checked by a second host, and more of a host that few agreed with so far: the
   * hosts are compared. 0 turns it off.
   */
  COMPARE_EVERY: whole(0, 1_000_000).default(50),
  /** 'eu' pins the objects; empty locally, because workerd knows no jurisdictions. */
  JURISDICTION: z.enum(['', 'eu']).default(''),
  /** '1' accepts hosts that declare private routes: never in production. */
  SANDBOX: z.enum(['', '0', '1']).default(''),
  /**
   * The pages' address, as mails name it: `https://verify.example.com`. Empty: the one that a
   * person's own call came to, and no mail about credits.
   */
  PUBLIC_URL: z
    .union([z.literal(''), z.url({ protocol: /^https?$/ }).transform((url) => new URL(url).origin)])
    .default(''),
  /** Who runs this deployment, as the foot of the dashboard says: a company's name and where it is registered. Empty: not said. */
  OPERATOR_NAME: z.string().trim().max(200).default(''),
  /** The operator's privacy notice, terms and status page: `https://…`. */
  PRIVACY_URL: ownPage,
  TERMS_URL: ownPage,
  STATUS_URL: ownPage,
  /** Where customers write to: an email address. Empty: not said. */
  CONTACT_EMAIL: z.union([z.literal(''), z.email().max(254)]).default(''),
  /** Who sends mail to people who sign in: an address that Cloudflare may send as. Empty: nobody can sign in. */
  SIGN_IN_FROM: z.union([z.literal(''), z.email()]).default(''),
  /**
   * Mails an hour to people who belong to no account. One network (IPv4 address, /48 of IPv6) gets a fifth at most, its
   * neighbourhood (/24, /32) a third, its autonomous system half. As many again are invitations by accounts that have not bought.
   */
  STRANGER_MAILS_PER_HOUR: whole(1, 1_000_000).default(300),
  /** Credits of an account that is opened by signing in: once for a mailbox, and none without WELCOME_SECRET. */
  WELCOME_CREDITS: whole(0, 1_000_000).default(0),
  /** How many mailboxes of one domain get them, consumer mailbox providers apart; with 0 there is no bound. */
  WELCOME_PER_DOMAIN: whole(0, 1_000_000).default(10),
  /** How many mailboxes get them on one day (UTC); with 0 there is no bound. */
  WELCOME_PER_DAY: whole(0, 1_000_000).default(200),
  /** What can be bought: JSON such as [{"id":"small","credits":10000,"amount":4900,"currency":"eur"}], cents without tax. */
  PACKS: json(z.array(packSchema).max(12)).default([]),
  /** Stripe's API: empty for Stripe's own, `http://127.0.0.1:…` for a stand-in. */
  STRIPE_URL: z.union([z.literal(''), z.url({ protocol: /^https?$/ })]).default(''),
  /** Secret, may be absent: nothing can be bought then. */
  STRIPE_SECRET_KEY: z.string().default(''),
  /** Secret, may be absent. What Stripe signs its events with. */
  STRIPE_WEBHOOK_SECRET: z.string().default(''),
  /** Secret, may be absent: nobody is told then. Where what pages is posted as JSON, each kind of alarm once an hour. */
  ALERT_WEBHOOK: z.union([z.literal(''), z.url({ protocol: /^https?$/ })]).default(''),
  /** Secret. Secrets of the keys' tags, comma-separated, 32 bytes or more each; the first makes new ones, all are accepted. */
  KEY_SECRETS: list.refine((secrets) => secrets.every(isLongEnough)),
  /** Secret. Public keys of operators by name: a JSON object of Ed25519 JWKs. Null: it is none, and no operator's call is taken; customers are served. */
  OPERATOR_KEYS: json(operatorKeysSchema).nullable().catch(null),
  /** Secret. The private Ed25519 JWK (JSON) that signs jobs, or a list of them while they rotate; the first signs. */
  EDGE_SIGNING_KEY: z.string().refine((text) => signingKeysSchema.safeParse(parseJson(text)).success),
  /**
   * Secret, may be absent: no domain can opt out then. Hashes the domains that did, 32 bytes or more. Never change it:
   * under another secret none of those already listed is recognised.
   */
  OPT_OUT_SECRET: z.union([z.literal(''), z.string().refine(isLongEnough)]).default(''),
  /**
   * Secret, may be absent: nobody gets welcome credits then. Hashes the mailboxes that got them, 32 bytes or more. Under
   * another secret each of them is new again.
   */
  WELCOME_SECRET: z.union([z.literal(''), z.string().refine(isLongEnough)]).default(''),
});
/** The names of all variables and secrets that the Worker reads. */
export const VARIABLES: readonly string[] = Object.keys(configSchema.shape);
/** The secrets among them that a deployment may do without. */
export const OPTIONAL_SECRETS: readonly string[] = [
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'OPT_OUT_SECRET',
  'WELCOME_SECRET',
  'ALERT_WEBHOOK',
];
export type Config = Readonly<z.infer<typeof configSchema>>;

/** The runtime hands the same object to every call of an isolate. */
const read = new WeakMap<object, Config>();

/** Variables are missing or wrong, and nothing can be served. The message names them, never a value. */
export class ConfigError extends Error {
  constructor(wrong: readonly string[]) {
    super(`Worker variables missing or wrong: ${wrong.join(', ')}`);
    this.name = 'ConfigError';
  }
}

/**
 * The Worker's variables, parsed.
 * @throws ConfigError
 */
export function readConfig(env: Readonly<Record<string, unknown>>): Config {
  const known = read.get(env);
  if (known !== undefined) return known;
  const config = parseConfig(env);
  if ('wrong' in config) throw new ConfigError(config.wrong);
  read.set(env, config);
  return config;
}

const alarmConfigSchema = configSchema.pick({ ALERT_WEBHOOK: true, JURISDICTION: true });

/** What alarms need, whatever is wrong with the rest: that is what they have to tell. */
export function readAlarmConfig(env: Readonly<Record<string, unknown>>): z.infer<typeof alarmConfigSchema> {
  const parsed = alarmConfigSchema.safeParse(env);
  return parsed.success ? parsed.data : { ALERT_WEBHOOK: '', JURISDICTION: '' };
}

/** The variables, parsed, or the names of those that are missing or wrong. */
export function parseConfig(
  variables: Readonly<Record<string, unknown>>,
): Config | { readonly wrong: readonly string[] } {
  const parsed = configSchema.safeParse(variables);
  if (parsed.success) {
    const { KEY_PREFIX, TEST_KEY_PREFIX } = parsed.data;
    const prefixes = [KEY_PREFIX, TEST_KEY_PREFIX, PAGE_KEY_PREFIX, FORM_KEY_PREFIX, FORM_TEST_KEY_PREFIX];
    return new Set(prefixes).size === prefixes.length ? parsed.data : { wrong: ['KEY_PREFIX', 'TEST_KEY_PREFIX'] };
  }
  return { wrong: [...new Set(parsed.error.issues.map((issue) => String(issue.path[0])))] };
}
