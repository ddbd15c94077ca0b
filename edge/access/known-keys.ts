import type { Config } from '../config.ts';
import { hashKey, isIssued } from './key.ts';

// What an isolate remembers of keys from one call to the next. Every call with a key asks here first, and nothing else
// writes what is remembered: whether a key was issued, until when its window is spent, on which day it was marked as
// used. It is memory alone, one for each set of variables. All of it may be forgotten at any time: whoever knows better
// (the tag, the limiter, D1) is then asked again.

/** Who calls: what stands for a key once its tag is proven. Nothing behind that step sees the key itself. */
export type Bearer = {
  /** What D1 knows the key by. */
  readonly keyHash: string;
  /** What its limiter is called: a hash once more, because object names are shown to whoever runs the platform. */
  readonly limiter: string;
};

/** Beyond so many keys of a kind all of that kind are forgotten. */
export const KEYS_MAX = 10_000;

/** Made-up keys are the callers' to choose, issued ones are not: a flood of the first displaces none of the second. */
type KnownKeys = { readonly issued: Map<string, Bearer>; readonly madeUp: Set<string> };
type Notes = { spentUntilMs: number; markedDay: number };

const known = new WeakMap<Config, KnownKeys>();
/** Goes with its bearer. */
const notes = new WeakMap<Bearer, Notes>();

/**
 * The bearer of a key that was issued, null for any other: no I/O, and no work for a key seen before. To prove and hash
 * one costs more than all else of a refusal.
 */
export async function findBearer(key: string, config: Config): Promise<Bearer | null> {
  const { issued, madeUp } = keysOf(config);
  const bearer = issued.get(key);
  if (bearer !== undefined) return bearer;
  if (madeUp.has(key)) return null;
  if (!(await isIssued(key, config.KEY_PREFIX, config.KEY_SECRETS))) {
    if (madeUp.size >= KEYS_MAX) madeUp.clear();
    madeUp.add(key);
    return null;
  }
  const made = await bearerOf(key);
  if (issued.size >= KEYS_MAX) issued.clear();
  issued.set(key, made);
  return made;
}

/** What stands for an issued key. */
export async function bearerOf(key: string): Promise<Bearer> {
  const keyHash = await hashKey(key);
  return { keyHash, limiter: await hashKey(`limiter:${keyHash}`) };
}

/** Until when, by the Worker's clock, the bearer's limiter is known to let no call pass; 0 if nothing is known. */
export function spentUntilMs(bearer: Bearer): number {
  return notes.get(bearer)?.spentUntilMs ?? 0;
}

export function noteSpent(bearer: Bearer, untilMs: number): void {
  notesOf(bearer).spentUntilMs = untilMs;
}

/** The last day since 1970, by D1's clock, on which a hold of this isolate marked the key as used; 0 if none did. */
export function markedDay(bearer: Bearer): number {
  return notes.get(bearer)?.markedDay ?? 0;
}

export function noteMarked(bearer: Bearer, day: number): void {
  notesOf(bearer).markedDay = day;
}

function keysOf(config: Config): KnownKeys {
  let keys = known.get(config);
  if (keys === undefined) {
    keys = { issued: new Map(), madeUp: new Set() };
    known.set(config, keys);
  }
  return keys;
}

function notesOf(bearer: Bearer): Notes {
  let found = notes.get(bearer);
  if (found === undefined) {
    found = { spentUntilMs: 0, markedDay: 0 };
    notes.set(bearer, found);
  }
  return found;
}
