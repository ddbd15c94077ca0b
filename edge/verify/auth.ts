import { RequestError } from '../../schema/errors.ts';
import type { Call } from '../call.ts';
import type { Config } from '../config.ts';
import { proveKey, type KeyProof } from '../ledger/hold.ts';
import { hashKey, isIssued } from '../keys/key.ts';

/** RFC 9110 §11.4: the scheme in any case. Two headers arrive joined by a comma and do not match. */
const BEARER = /^bearer +([A-Za-z0-9_]{1,128})$/i;

/** What stands for a key once its tag is proven: nothing behind this step sees the key itself. */
export type Bearer = {
  /** What D1 knows it by. */
  readonly keyHash: string;
  /** What its limiter is called: a hash once more, because object names are shown to whoever runs the platform. */
  readonly limiter: string;
  /** The last day, by D1's clock, on which a hold of this isolate has marked the key as used. */
  markedDay: number;
  /** Until when, by the Worker's clock, its limiter is known to let no call pass. */
  spentUntilMs: number;
};

/**
 * What this isolate has seen of each set of variables: a key's bearer, or null where it was never issued. The same few
 * come again and again, and to prove and hash one costs more than all else of a refusal. Never leaves memory.
 */
const seen = new WeakMap<Config, Map<string, Bearer | null>>();
/** Keys are the caller's to make up: beyond this many all are forgotten. */
const SEEN_MAX = 10_000;

export const UNAUTHORIZED = new RequestError(
  'UNAUTHORIZED',
  'A valid API key is required, as "Authorization: Bearer <key>".',
  { 'www-authenticate': 'Bearer' },
);

/**
 * Whether the call carries a key that was once issued: no I/O. Whether the key still stands, D1 says later.
 * @throws RequestError UNAUTHORIZED
 */
export async function authenticate({ request, config }: Call): Promise<Bearer> {
  const key = BEARER.exec(request.headers.get('authorization')?.trim() ?? '')?.[1];
  if (key === undefined) throw UNAUTHORIZED;
  const keys = keysSeen(config);
  let bearer = keys.get(key);
  if (bearer === undefined) {
    bearer = (await isIssued(key, config.KEY_PREFIX, config.KEY_SECRETS)) ? await bearerOf(key) : null;
    if (keys.size >= SEEN_MAX) keys.clear();
    keys.set(key, bearer);
  }
  if (bearer === null) throw UNAUTHORIZED;
  return bearer;
}

function keysSeen(config: Config): Map<string, Bearer | null> {
  let keys = seen.get(config);
  if (keys === undefined) {
    keys = new Map();
    seen.set(config, keys);
  }
  return keys;
}

/** What stands for an issued key. */
export async function bearerOf(key: string): Promise<Bearer> {
  const keyHash = await hashKey(key);
  return { keyHash, limiter: await hashKey(`limiter:${keyHash}`), markedDay: 0, spentUntilMs: 0 };
}

/**
 * Has D1 say whose key it is, for calls that take no credits.
 * @throws RequestError UNAUTHORIZED for a deleted key
 */
export async function prove(call: Call, bearer: Bearer): Promise<KeyProof> {
  const proof = await proveKey(call.env.DB, bearer.keyHash);
  if (proof === null) throw UNAUTHORIZED;
  return proof;
}
