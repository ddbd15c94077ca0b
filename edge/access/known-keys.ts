import { keepLatest } from '../../schema/keep-latest.ts';
import { KEY_KINDS, type KeyKind } from '../../schema/words/stored.ts';
import type { Config } from '../base/config.ts';
import { databaseOf, hashKey, isIssued, STEM_LENGTH, TAG_LENGTH } from './key.ts';
import { prefixOf } from './mint.ts';

// What an isolate remembers of keys from one call to the next: which were issued, on which day each was marked as used, and
// whose it is. Callers choose none of these, so no flood of made-up keys displaces one. It is memory alone, one for each set of
// variables, and may be forgotten at any time: the tag and D1 are then asked again.

/** Who calls: what stands for a key once its tag is proven. Nothing behind that step sees the key itself. */
export type Bearer = {
  /** By the key's prefix. A test key is answered from the sandbox's table, a form's too. */
  readonly kind: Exclude<KeyKind, 'form' | 'formtest'>;
  /** What the key opens: POST /api/v1/form alone, or everything but that. */
  readonly opens: 'form' | 'all_else';
  /** What D1 knows the key by. */
  readonly keyHash: string;
  /** The number of the database that its account is in. */
  readonly database: number;
  /** The name of its account's limiter: hashed again, because the platform's operators see object names. */
  readonly limiter: string;
  /** What it is counted as there: a hash of its hash. */
  readonly window: string;
  /** The last day since 1970, by D1's clock, on which a hold of this isolate marked the key as used; 0 if none did. */
  markedDay: number;
  /** The id of the account whose key it is, as D1 last said; null if it has not been asked, or knows no such key. */
  owner: string | null;
};

/** Of more keys than these the one that was seen first is forgotten. */
const KEYS_MAX = 10_000;

const issued = new WeakMap<Config, Map<string, Bearer>>();

/**
 * The bearer of a key that was issued, the same each time while it is remembered; null for any other key. No I/O, and no work
 * for a key seen before: to prove and hash one costs more than all else of a refusal.
 */
export async function findBearer(key: string, config: Config): Promise<Bearer | null> {
  const known = issued.get(config) ?? new Map<string, Bearer>();
  issued.set(config, known);
  const found = known.get(key);
  if (found !== undefined) return found;
  const kind = KEY_KINDS.find((one) => key.startsWith(prefixOf(one, config)));
  if (kind === undefined || !(await isIssued(key, prefixOf(kind, config), config.KEY_SECRETS))) return null;
  const bearer = await bearerOf(key, kind);
  keepLatest(known, key, bearer, KEYS_MAX);
  return bearer;
}

/** What stands for an issued key. */
export async function bearerOf(key: string, kind: KeyKind = 'live'): Promise<Bearer> {
  const keyHash = await hashKey(key);
  const from = key.length - STEM_LENGTH - TAG_LENGTH;
  const account = key.slice(from, from + TAG_LENGTH);
  return {
    kind: kind === 'form' ? 'live' : kind === 'formtest' ? 'test' : kind,
    opens: kind === 'form' || kind === 'formtest' ? 'form' : 'all_else',
    keyHash,
    database: databaseOf(account),
    limiter: await hashKey(`account:${account}`),
    window: await hashKey(`window:${keyHash}`),
    markedDay: 0,
    owner: null,
  };
}
