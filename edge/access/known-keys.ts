import { keepLatest } from '../../schema/keep-latest.ts';
import { KEY_KINDS, type KeyKind } from '../../schema/words/stored.ts';
import type { Config } from '../base/config.ts';
import { databaseOf, hashKey, hintOf, isIssued, limiterOf, STEM_LENGTH, TAG_LENGTH } from './key.ts';
import { prefixOf } from './mint.ts';

// What an isolate remembers about keys between calls: which were issued, on which day each was marked as used, and
// whose it is. Callers choose none of these, so a flood of made-up keys displaces none. It is in memory only, one for
// each set of variables, and may be lost at any time: then the tag and D1 are asked again.

/** The caller: represents a key once its tag is proven. Later steps never see the key itself. */
export type Bearer = {
  /** From the key's prefix. Test keys, those of forms included, are answered from the sandbox's table. */
  readonly kind: Exclude<KeyKind, 'form' | 'formtest'>;
  /** What the key is good for: POST /api/v1/form alone, or everything but that. */
  readonly opens: 'form' | 'all_else';
  /** The key's hash in D1. */
  readonly keyHash: string;
  /** Its last characters, by which its owner knows it; `page` for a page's key. */
  readonly hint: string;
  /** The number of the database that its account is in. */
  readonly database: number;
  /** The name of its account's limiter. */
  readonly limiter: string;
  /** The window it is counted in there: a hash of its hash. */
  readonly window: string;
  /** The last day since 1970, by D1's clock, on which a hold of this isolate marked the key as used; 0 if none did. */
  markedDay: number;
  /** The id of the account that owns the key, from D1's last answer; null if it was not asked, or has no such key. */
  owner: string | null;
};

/** Beyond this many keys the one seen first is forgotten. */
const KEYS_MAX = 10_000;

const issued = new WeakMap<Config, Map<string, Bearer>>();

/**
 * The bearer of an issued key, the same each time while it is remembered; null for any other key. No I/O, and no work
 * for a key seen before: proving and hashing one costs more than the rest of a refusal.
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

export async function bearerOf(key: string, kind: KeyKind = 'live'): Promise<Bearer> {
  const keyHash = await hashKey(key);
  const from = key.length - STEM_LENGTH - TAG_LENGTH;
  const account = key.slice(from, from + TAG_LENGTH);
  return {
    kind: kind === 'form' ? 'live' : kind === 'formtest' ? 'test' : kind,
    opens: kind === 'form' || kind === 'formtest' ? 'form' : 'all_else',
    keyHash,
    hint: kind === 'page' ? 'page' : hintOf(key),
    database: databaseOf(account),
    limiter: await limiterOf(account),
    window: await hashKey(`window:${keyHash}`),
    markedDay: 0,
    owner: null,
  };
}
