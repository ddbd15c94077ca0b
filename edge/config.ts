import * as z from 'zod';

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

const configSchema = z.object({
  MAX_ADDRESSES: whole(1, 500).default(500),
  CHARGE: z.enum(['probed', 'entries']).default('probed'),
  /** Requests a minute and key; 0 is no limit and no headers. */
  RATE_LIMIT: whole(0, 1_000_000).default(60),
  /** Addresses under way at once in all batches of an account; 0 is no bound. */
  MAX_IN_FLIGHT: whole(0, 999_999_999).default(10_000),
  LEGACY: z.enum(['off', 'on']).default('off'),
  KEY_PREFIX: z
    .string()
    .regex(/^[a-z0-9_]{1,32}$/)
    .default('svc_live_'),
  MAX_BODY_BYTES: whole(1, 10_000_000).default(51_200),
  BATCH_DEADLINE_S: whole(5, 600).default(90),
  HOLD_GRACE_S: whole(1, 86_400).default(120),
  FLEET_SHARDS: whole(1, 64).default(1),
  /** 'eu' pins the objects; empty locally, where workerd knows no jurisdictions. */
  JURISDICTION: z.enum(['', 'eu']).default(''),
  /** '1' takes hosts that declare private routes: never in production. */
  SANDBOX: z.enum(['', '0', '1']).default(''),
  /** Secrets of the keys' tags, comma-separated; the first makes new ones, all are accepted. */
  KEY_SECRETS: list,
  /** Public keys of operators by name: JSON object of Ed25519 JWKs. */
  OPERATOR_KEYS: z.string(),
  /** Private Ed25519 JWK (JSON) that signs jobs; hosts know its public half. */
  EDGE_SIGNING_KEY: z.string(),
});
/** The names of all variables and secrets that the Worker reads. */
export const VARIABLES: readonly string[] = Object.keys(configSchema.shape);
export type Config = Readonly<z.infer<typeof configSchema>>;

/** The runtime hands the same object to every call of an isolate. */
const read = new WeakMap<object, Config>();

/**
 * The Worker's variables, parsed.
 * @throws Error naming every variable that is missing or wrong, never its value
 */
export function readConfig(env: Readonly<Record<string, unknown>>): Config {
  const known = read.get(env);
  if (known !== undefined) return known;
  const config = parseConfig(env);
  if ('wrong' in config) throw new Error(`Worker variables missing or wrong: ${config.wrong.join(', ')}`);
  read.set(env, config);
  return config;
}

/** The variables, parsed, or the names of those that are missing or wrong. */
export function parseConfig(
  variables: Readonly<Record<string, unknown>>,
): Config | { readonly wrong: readonly string[] } {
  const parsed = configSchema.safeParse(variables);
  if (parsed.success) return parsed.data;
  return { wrong: [...new Set(parsed.error.issues.map((issue) => String(issue.path[0])))] };
}
