import { OPT_OUT_LABELS_MAX } from '../../schema/admin.ts';
import type { Call } from '../base/call.ts';
import { keyedHash } from '../base/keyed-hash.ts';
import { Latest } from '../base/latest.ts';
import { persist } from '../ledger/transient.ts';
import { listHashes } from './listed.ts';

// An isolate caches the whole list in memory for a minute, so that a batch costs D1 nothing. It reads it again in the
// background half a minute before it would have to wait for a new one.

const TRUSTED_MS = 60_000;
const RENEWED_MS = 30_000;
const D1_TIMEOUT_MS = 5_000;

/** By the isolate's database. */
const lists = new WeakMap<D1Database, Latest<ReadonlySet<string>>>();
const NONE: ReadonlySet<string> = new Set();

/**
 * Which of these domains, or their parent domains, opted out. A change to the list takes effect everywhere within a
 * minute.
 * @param domains lower-case A-labels
 * @throws what D1 throws: no address is probed that might be listed
 */
export async function findOptedOut(
  { env, config, waitUntil }: Pick<Call, 'env' | 'config' | 'waitUntil'>,
  domains: readonly string[],
): Promise<ReadonlySet<string>> {
  const secret = config.OPT_OUT_SECRET;
  if (secret === '' || domains.length === 0) return NONE;
  const hashes = await listOf(env.DB, waitUntil);
  if (hashes.size === 0) return NONE;
  // Many domains of a batch share parent domains.
  const names = [...new Set(domains.flatMap(coveredBy))];
  const found = await Promise.all(names.map(async (name) => hashes.has(await keyedHash(name, secret))));
  const listed = new Set(names.filter((_, at) => found[at] === true));
  return new Set(domains.filter((domain) => coveredBy(domain).some((name) => listed.has(name))));
}

/** The domain and its parents that could be listed: more than one label and at most OPT_OUT_LABELS_MAX. Pure. */
export function coveredBy(domain: string): readonly string[] {
  const labels = domain.split('.').slice(-OPT_OUT_LABELS_MAX);
  return labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'));
}

async function listOf(db: D1Database, waitUntil: Call['waitUntil']): Promise<ReadonlySet<string>> {
  const latest = lists.get(db) ?? new Latest<ReadonlySet<string>>(D1_TIMEOUT_MS);
  lists.set(db, latest);
  const now = Date.now();
  const { last } = latest;
  const renewed = latest.get(now - RENEWED_MS, () => persist(2, () => listHashes(db)), waitUntil);
  if (last === null || now - last.begunMs >= TRUSTED_MS) return renewed;
  renewed.catch(() => {});
  return last.value;
}
