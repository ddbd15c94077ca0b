import * as z from 'zod';
import { GRANT_MAX, operatorKeysSchema } from '../../schema/admin.ts';
import { SHARDS_MAX, signingKeysSchema } from '../../schema/enrolment.ts';
import { parseJson } from '../../schema/parse-json.ts';

// The Worker's variables and secrets, validated once: nothing else reads them.

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
/** A secret behind keys needs as many bytes as its hash, so that it cannot be guessed. */
const SECRET_BYTES_MIN = 32;
const isLongEnough = (secret: string): boolean => new TextEncoder().encode(secret).length >= SECRET_BYTES_MIN;

/** Cloudflare ends a request that has sent nothing for 125 s; an answer needs some of them. */
const BATCH_S_MAX = 100;

/** How many values one hexadecimal digit has: the first character of a key (`access/key.ts`). */
const DATABASES_MAX = 16;

/** The prefix of the keys used by the pages' own calls: no one sees them, so it is not configurable. */
export const PAGE_KEY_PREFIX = 'svc_page_';
/** The prefixes of the keys of forms, and of their test keys. */
export const FORM_KEY_PREFIX = 'svc_form_';
export const FORM_TEST_KEY_PREFIX = 'svc_formtest_';

/** A page of the operator's, linked in the footer of the dashboard; empty: no link. */
const ownPage = z.union([z.literal(''), z.url({ protocol: /^https$/ }).max(500)]).default('');

/** A JSON text, validated by a schema. */
const json = <T>(schema: z.ZodType<T>) => z.string().transform(parseJson).pipe(schema);
const keyPrefix = z.string().regex(/^[a-z0-9_]{1,32}$/);
const packSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]{1,32}$/),
  credits: z.int().min(1).max(GRANT_MAX),
  amount: z.int().min(1).max(99_999_999),
  currency: z.string().regex(/^[a-z]{3}$/),
});

const configSchema = z.object({
  /** The most entries a request may have; with more it is refused with 400 TOO_MANY. */
  MAX_ADDRESSES: whole(1, 500).default(500),
  /** What costs a credit: each distinct address that is probed, or each entry of the request, duplicates too. */
  CHARGE: z.enum(['probed', 'entries']).default('probed'),
  /** Requests per minute and key; with 0 there is no limit, and no RateLimit headers. */
  RATE_LIMIT: whole(0, 1_000_000).default(60),
  /** Requests per minute with all keys of an account. With 0, or if RATE_LIMIT is 0, there is no such limit. */
  ACCOUNT_RATE_LIMIT: whole(0, 1_000_000).default(1_200),
  /** Addresses in flight at once in all batches of an account; with 0 there is no limit. */
  MAX_IN_FLIGHT: whole(0, 999_999_999).default(10_000),
  /** The same for an account that never bought credits or got any from an operator; with 0 it has the limit of all. */
  MAX_IN_FLIGHT_FREE: whole(0, 999_999_999).default(1_000),
  /** With 'on' the older forms are served too: GET /api/v1/verify?email= and POST /api/v1/verify/bulk. */
  LEGACY: z.enum(['off', 'on']).default('off'),
  /** The prefix of every API key. Keys with an earlier prefix are refused from the change on. */
  KEY_PREFIX: keyPrefix.default('svc_live_'),
  /**
   * The same for test keys, which are answered from the sandbox's table. No prefix of keys may begin with another one:
   * their kind could not be told.
   */
  TEST_KEY_PREFIX: keyPrefix.default('svc_test_'),
  /** Bytes of a request's body; a longer one is refused with 413. */
  MAX_BODY_BYTES: whole(1, 10_000_000).default(51_200),
  /** Seconds after which a batch is answered with what is known by then. */
  BATCH_DEADLINE_S: whole(5, BATCH_S_MAX).default(90),
  /** Seconds after the batch deadline until an unsettled hold is returned in full. */
  HOLD_GRACE_S: whole(1, 86_400).default(120),
  /** How many D1 databases share the accounts: `DB`, then `DB_1` and so on. It may grow, but never shrink. */
  LEDGER_DATABASES: whole(1, DATABASES_MAX).default(1),
  /** How many Fleet objects share the batches. A change reaches every host with its next hello. */
  FLEET_SHARDS: whole(1, SHARDS_MAX).default(1),
  /**
   * One probed address in this many is also checked by a second host, and more of those of a host that few agreed with
   * so far: the hosts are compared. 0 turns it off.
   */
  COMPARE_EVERY: whole(0, 1_000_000).default(50),
  /** 'eu' pins the objects; empty locally, because workerd knows no jurisdictions. */
  JURISDICTION: z.enum(['', 'eu']).default(''),
  /** '1' accepts hosts that declare private routes: never use it in production. */
  SANDBOX: z.enum(['', '0', '1']).default(''),
  /**
   * The pages' address, for links in mails: `https://verify.example.com`. If empty: the one that a person's own call
   * was sent to, and no mail about credits.
   */
  PUBLIC_URL: z
    .union([z.literal(''), z.url({ protocol: /^https?$/ }).transform((url) => new URL(url).origin)])
    .default(''),
  /** Who runs this deployment, for the footer of the dashboard: a company's name and its seat. Empty: not shown. */
  OPERATOR_NAME: z.string().trim().max(200).default(''),
  /** The operator's privacy notice, terms and status page: `https://…`. */
  PRIVACY_URL: ownPage,
  TERMS_URL: ownPage,
  STATUS_URL: ownPage,
  /** An email address that customers write to. Empty: not shown. */
  CONTACT_EMAIL: z.union([z.literal(''), z.email().max(254)]).default(''),
  /** The sender of sign-in mail: an address that Cloudflare may send as. Empty: no one can sign in. */
  SIGN_IN_FROM: z.union([z.literal(''), z.email()]).default(''),
  /**
   * Mails that the mail service sends in a day. Half of them may go to people who belong to no account, and to those
   * invited by accounts that have not bought; the rest stays with members.
   */
  MAILS_PER_DAY: whole(4, 10_000_000).default(400),
  /** Credits of an account that is opened by signing in: once for a mailbox, and none without WELCOME_SECRET. */
  WELCOME_CREDITS: whole(0, 1_000_000).default(0),
  /** How many mailboxes of one domain get them, except consumer mailbox providers; with 0 there is no limit. */
  WELCOME_PER_DOMAIN: whole(0, 1_000_000).default(10),
  /** How many mailboxes get them in one day (UTC); with 0 there is no limit. */
  WELCOME_PER_DAY: whole(0, 1_000_000).default(200),
  /** For sale: JSON like [{"id":"small","credits":10000,"amount":4900,"currency":"eur"}], cents without tax. */
  PACKS: json(z.array(packSchema).max(12)).default([]),
  /** Stripe's API: empty for Stripe's own, `http://127.0.0.1:…` for a stand-in. */
  STRIPE_URL: z.union([z.literal(''), z.url({ protocol: /^https?$/ })]).default(''),
  /** With 'off' Stripe adds no tax to the prices, and Stripe Tax need not be activated: for sellers who owe none. */
  STRIPE_TAX: z.enum(['on', 'off']).default('on'),
  /** Secret, optional: without it nothing can be bought. */
  STRIPE_SECRET_KEY: z.string().default(''),
  /** Secret, optional. Stripe signs its events with it. */
  STRIPE_WEBHOOK_SECRET: z.string().default(''),
  /** Secret, optional: without it no one is alerted. Alarms are posted there as JSON, each kind once an hour. */
  ALERT_WEBHOOK: z.union([z.literal(''), z.url({ protocol: /^https?$/ })]).default(''),
  /** Secret. Secrets for tags of keys, comma-separated, at least 32 bytes each; the first makes tags, all count. */
  KEY_SECRETS: list.refine((secrets) => secrets.every(isLongEnough)),
  /**
   * Secret. Public keys of operators by name: a JSON object of Ed25519 JWKs. Null: it is invalid, and operators' calls
   * are refused; customers' calls are served.
   */
  OPERATOR_KEYS: json(operatorKeysSchema).nullable().catch(null),
  /** Secret. The private Ed25519 JWK (JSON) that signs jobs, or a list of them during a rotation; the first signs. */
  EDGE_SIGNING_KEY: z.string().refine((text) => signingKeysSchema.safeParse(parseJson(text)).success),
  /**
   * Secret, optional: without it no domain can opt out. Hashes the domains that did, 32 bytes or more. Never change it:
   * under another secret none of those listed is recognised.
   */
  OPT_OUT_SECRET: z.union([z.literal(''), z.string().refine(isLongEnough)]).default(''),
  /**
   * Secret, optional: without it no one gets welcome credits. Hashes the mailboxes that got them, 32 bytes or more.
   * Under another secret each of them counts as new.
   */
  WELCOME_SECRET: z.union([z.literal(''), z.string().refine(isLongEnough)]).default(''),
});
/** The names of all variables and secrets that the Worker reads. */
export const VARIABLES: readonly string[] = Object.keys(configSchema.shape);
export const OPTIONAL_SECRETS: readonly string[] = [
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'OPT_OUT_SECRET',
  'WELCOME_SECRET',
  'ALERT_WEBHOOK',
];
export type Config = Readonly<z.infer<typeof configSchema>>;

/** The runtime passes the same object to every call of an isolate. */
const read = new WeakMap<object, Config>();

/** Variables are missing or wrong, and nothing can be served. The message names them, never a value. */
export class ConfigError extends Error {
  constructor(wrong: readonly string[]) {
    super(`Worker variables missing or wrong: ${wrong.join(', ')}`);
    this.name = 'ConfigError';
  }
}

/** The Worker's variables, parsed. @throws ConfigError */
export function readConfig(env: Readonly<Record<string, unknown>>): Config {
  const known = read.get(env);
  if (known !== undefined) return known;
  const config = parseConfig(env);
  if ('wrong' in config) throw new ConfigError(config.wrong);
  read.set(env, config);
  return config;
}

const alarmConfigSchema = configSchema.pick({ ALERT_WEBHOOK: true, JURISDICTION: true });

/** What alarms need, even if the rest is wrong: that is what they have to report. */
export function readAlarmConfig(env: Readonly<Record<string, unknown>>): z.infer<typeof alarmConfigSchema> {
  const parsed = alarmConfigSchema.safeParse(env);
  return parsed.success ? parsed.data : { ALERT_WEBHOOK: '', JURISDICTION: '' };
}

/** The variables, parsed, or the names of those that are missing or wrong. */
export function parseConfig(
  variables: Readonly<Record<string, unknown>>,
): Config | { readonly wrong: readonly string[] } {
  const parsed = configSchema.safeParse(variables);
  if (!parsed.success) {
    const named = parsed.error.issues.map((issue) => String(issue.path[0]));
    return { wrong: [...new Set([...named, ...wrongPrefixes(variables)])] };
  }
  const wrong = wrongPrefixes(variables);
  return wrong.length === 0 ? parsed.data : { wrong };
}

const prefixSchema = configSchema.pick({ KEY_PREFIX: true, TEST_KEY_PREFIX: true });

function wrongPrefixes(variables: Readonly<Record<string, unknown>>): readonly string[] {
  const { data } = prefixSchema.safeParse(variables);
  if (data === undefined) return [];
  const prefixes = [data.KEY_PREFIX, data.TEST_KEY_PREFIX, PAGE_KEY_PREFIX, FORM_KEY_PREFIX, FORM_TEST_KEY_PREFIX];
  const areApart = prefixes.every((one, at) => prefixes.every((other, n) => n === at || !one.startsWith(other)));
  return areApart ? [] : ['KEY_PREFIX', 'TEST_KEY_PREFIX'];
}
