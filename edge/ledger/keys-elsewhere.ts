import type { Home } from '../base/databases.ts';
import { readMoved } from './moved.ts';

// The keys of an account that is not in the directory's database. The directory has them all, with their names, and decides
// which there are; the account's database has what proves a call. A key is first in the directory: so one of the account's
// database that the directory does not have was deleted.

const READ = `
  SELECT hash, id, account_id AS accountId, created_at AS createdAt, kind, expires_at AS expiresAt, session_id AS sessionId,
         form
    FROM api_keys WHERE hash = ?1`;
const PUT = `
  INSERT INTO api_keys (hash, id, account_id, label, hint, created_at, kind, expires_at, session_id, form)
  SELECT ?1, ?2, id, '', '', ?4, ?5, ?6, ?7, ?8 FROM accounts WHERE id = ?3 ON CONFLICT DO NOTHING`;
const OF_ACCOUNT = 'SELECT hash FROM api_keys WHERE account_id = ?1';
const AFTER = 'SELECT hash FROM api_keys WHERE hash > ?1 ORDER BY hash LIMIT ?2';
const STANDING = 'SELECT hash FROM api_keys WHERE hash IN (SELECT value FROM json_each(?1))';
const DROP = 'DELETE FROM api_keys WHERE hash IN (SELECT value FROM json_each(?1))';
const LAST_USED = `SELECT id, last_used_day AS lastUsedDay FROM api_keys WHERE account_id = ?1 AND kind <> 'page'`;

const KEYS_PER_CHUNK = 2_000;
const CHUNKS = 10;

type Hash = { readonly hash: string };

/** Copies a new key from the directory to the account's database, if that is another one. */
export async function copyKey(directory: D1Database, home: D1Database, keyHash: string): Promise<void> {
  if (home === directory) return;
  const row = await directory.prepare(READ).bind(keyHash).first<Record<string, string | number | null>>();
  if (row === null) return;
  const { hash, id, accountId, createdAt, kind, expiresAt, sessionId, form } = row;
  await home.prepare(PUT).bind(hash, id, accountId, createdAt, kind, expiresAt, sessionId, form).run();
}

/** Ends in the databases of these accounts what the directory no longer has of their keys. */
export async function dropDeadKeys({ db, all }: Home, accountIds: readonly string[]): Promise<void> {
  if (all.length === 1) return;
  for (const [accountId, number] of await readMoved(db, accountIds)) {
    const there = all[number];
    if (there === undefined) continue;
    const { results } = await there.prepare(OF_ACCOUNT).bind(accountId).all<Hash>();
    await dropAmong(db, there, results);
  }
}

/** One turn of the cron, for what a Worker that died left: the keys of one database, some of them a turn. */
export async function dropAllDeadKeys(directory: D1Database, there: D1Database): Promise<void> {
  let after = '';
  for (let chunk = 0; chunk < CHUNKS; chunk += 1) {
    const { results } = await there.prepare(AFTER).bind(after, KEYS_PER_CHUNK).all<Hash>();
    await dropAmong(directory, there, results);
    after = results.at(-1)?.hash ?? '';
    if (results.length < KEYS_PER_CHUNK) return;
  }
}

async function dropAmong(directory: D1Database, there: D1Database, keys: readonly Hash[]): Promise<void> {
  if (keys.length === 0) return;
  const list = JSON.stringify(keys.map(({ hash }) => hash));
  const { results } = await directory.prepare(STANDING).bind(list).all<Hash>();
  const standing = new Set(results.map(({ hash }) => hash));
  const dead = keys.filter(({ hash }) => !standing.has(hash)).map(({ hash }) => hash);
  if (dead.length > 0) await there.prepare(DROP).bind(JSON.stringify(dead)).run();
}

/** These keys with the day on which they were last used, which the account's database knows. */
export async function withLastUse<T extends { readonly id: string; readonly lastUsedDay: number }>(
  directory: D1Database,
  home: D1Database,
  accountId: string,
  keys: readonly T[],
): Promise<readonly T[]> {
  if (home === directory) return keys;
  const { results } = await home.prepare(LAST_USED).bind(accountId).all<Pick<T, 'id' | 'lastUsedDay'>>();
  const days = new Map(results.map(({ id, lastUsedDay }) => [id, lastUsedDay]));
  return keys.map((key) => ({ ...key, lastUsedDay: days.get(key.id) ?? key.lastUsedDay }));
}

const CLOSE = [
  'DELETE FROM idempotency_keys WHERE account_id = ?1',
  'UPDATE accounts SET low_balance_at = 0 WHERE id = ?1',
];
const HAS_PEOPLE = 'SELECT 1 AS found FROM memberships WHERE account_id = ?1 LIMIT 1';

/** What a person leaves who is deleted: the keys that went, and all of an account that nobody belongs to any more. */
export async function closeElsewhere(directory: Home, accountIds: readonly string[]): Promise<void> {
  const { db, all } = directory;
  if (all.length === 1) return;
  await dropDeadKeys(directory, accountIds);
  for (const [accountId, number] of await readMoved(db, accountIds)) {
    const there = all[number];
    if (there === undefined || (await db.prepare(HAS_PEOPLE).bind(accountId).first()) !== null) continue;
    await there.batch(CLOSE.map((text) => there.prepare(text).bind(accountId)));
  }
}
