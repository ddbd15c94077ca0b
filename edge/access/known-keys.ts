import { KEY_KINDS, type KeyKind } from '../../schema/words/stored.ts';
import type { Config } from '../base/config.ts';
import { databaseOf, hashKey, isIssued, STEM_LENGTH, TAG_LENGTH } from './key.ts';
import { HOLDER_LENGTH, prefixOf } from './mint.ts';

// What an isolate remembers of keys from one call to the next. Every call with a key asks here first, and nothing else
// writes what is remembered: whether a key was issued, on which day it was marked as used, and whose it is. It is memory
// alone, one for each set of variables. All of it may be forgotten at any time: the tag and D1 are then asked again.

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
  /** What it is counted as there: a hash of its hash, or of what a person's page keys have in common. */
  readonly window: string;
};

/** Beyond this many keys of one kind all of that kind are forgotten. */
const KEYS_MAX = 10_000;

/** The keys seen under one set of variables. */
export class KnownKeys {
  readonly #config: Config;
  readonly #max: number;
  // Made-up keys are the callers' to choose, issued ones are not: a flood of the first displaces none of the second.
  readonly #issued = new Map<string, Bearer>();
  readonly #madeUp = new Set<string>();

  constructor(config: Config, max = KEYS_MAX) {
    this.#config = config;
    this.#max = max;
  }

  /** @returns the bearer of a key that was issued, the same each time while it is known; null for any other key */
  async find(key: string): Promise<Bearer | null> {
    const known = this.#issued.get(key);
    if (known !== undefined) return known;
    if (this.#madeUp.has(key)) return null;
    const kind = KEY_KINDS.find((one) => key.startsWith(prefixOf(one, this.#config)));
    if (kind === undefined || !(await isIssued(key, prefixOf(kind, this.#config), this.#config.KEY_SECRETS))) {
      if (this.#madeUp.size >= this.#max) this.#madeUp.clear();
      this.#madeUp.add(key);
      return null;
    }
    const bearer = await bearerOf(key, kind);
    if (this.#issued.size >= this.#max) this.#issued.clear();
    this.#issued.set(key, bearer);
    return bearer;
  }
}

type Notes = { markedDay: number; owner: string | null };

const byVariables = new WeakMap<Config, KnownKeys>();
/** Goes with its bearer. */
const notes = new WeakMap<Bearer, Notes>();

/**
 * The bearer of a key that was issued, null for any other: no I/O, and no work for a key seen before. To prove and hash
 * one costs more than all else of a refusal.
 */
export function findBearer(key: string, config: Config): Promise<Bearer | null> {
  let keys = byVariables.get(config);
  if (keys === undefined) {
    keys = new KnownKeys(config);
    byVariables.set(config, keys);
  }
  return keys.find(key);
}

/** What stands for an issued key. The pages' keys of one person are counted as one: see `mintPageKey`. */
export async function bearerOf(key: string, kind: KeyKind = 'live'): Promise<Bearer> {
  const keyHash = await hashKey(key);
  const from = key.length - STEM_LENGTH - TAG_LENGTH;
  const account = key.slice(from, from + TAG_LENGTH);
  const counted = kind === 'page' ? key.slice(from, from + TAG_LENGTH + HOLDER_LENGTH) : keyHash;
  return {
    kind: kind === 'form' ? 'live' : kind === 'formtest' ? 'test' : kind,
    opens: kind === 'form' || kind === 'formtest' ? 'form' : 'all_else',
    keyHash,
    database: databaseOf(account),
    limiter: await hashKey(`account:${account}`),
    window: await hashKey(`window:${counted}`),
  };
}

/** The last day since 1970, by D1's clock, on which a hold of this isolate marked the key as used; 0 if none did. */
export function markedDay(bearer: Bearer): number {
  return notes.get(bearer)?.markedDay ?? 0;
}

export function noteMarked(bearer: Bearer, day: number): void {
  notesOf(bearer).markedDay = day;
}

/** The id of the account whose key it is, as D1 last said; null if it has not been asked, or knows no such key. */
export function ownerOf(bearer: Bearer): string | null {
  return notes.get(bearer)?.owner ?? null;
}

export function noteOwner(bearer: Bearer, accountId: string | null): void {
  notesOf(bearer).owner = accountId;
}

function notesOf(bearer: Bearer): Notes {
  let found = notes.get(bearer);
  if (found === undefined) {
    found = { markedDay: 0, owner: null };
    notes.set(bearer, found);
  }
  return found;
}
