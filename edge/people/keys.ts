import type { KeyKind } from '../../schema/words/stored.ts';
import { hashKey } from '../access/key.ts';
import { mintKey, mintPageKey } from '../access/mint.ts';
import type { Config } from '../base/config.ts';
import { NOW_MS } from '../ledger/clock.ts';
import type { Session } from './sessions.ts';
import { newId } from './token.ts';

// The keys of an account as its people make them, and those that their pages carry for a quarter of an hour.

const KEYS_MAX = 50;
const HINT_LENGTH = 4;
const PAGE_KEY_MS = 15 * 60_000;
/** A page renews its key some minutes before it ends; this many keys in one session are no normal use. */
const PAGE_KEYS_MAX = 20;

export type OwnKind = Exclude<KeyKind, 'page'>;
export type OwnKey = {
  readonly id: string;
  readonly kind: OwnKind;
  readonly label: string;
  readonly hint: string;
  readonly createdAt: number;
  readonly lastUsedDay: number;
};

const FIELDS = 'id, kind, label, hint, created_at AS createdAt, last_used_day AS lastUsedDay';
const LIST = `
  SELECT ${FIELDS} FROM api_keys WHERE account_id = ?1 AND kind <> 'page' ORDER BY created_at DESC, id LIMIT 500`;

const MAKE = `
  INSERT INTO api_keys (hash, id, account_id, label, hint, created_at, kind)
  SELECT ?1, ?2, ?3, ?4, ?5, ${NOW_MS}, ?6
   WHERE (SELECT count(*) FROM api_keys WHERE account_id = ?3 AND kind <> 'page') < ${KEYS_MAX}
  RETURNING ${FIELDS}`;

const DELETE = `DELETE FROM api_keys WHERE account_id = ?1 AND id = ?2 AND kind <> 'page' RETURNING id`;

/** Only while the session stands and looks at this account: it may have ended since it was read. */
const MAKE_PAGE_KEY = `
  INSERT INTO api_keys (hash, id, account_id, label, hint, created_at, kind, expires_at, session_id)
  SELECT ?1, ?2, s.account_id, '', '', ${NOW_MS}, 'page', ${NOW_MS} + ${PAGE_KEY_MS}, s.id
    FROM sessions s
   WHERE s.id = ?3 AND s.account_id = ?4
     AND (SELECT count(*) FROM api_keys WHERE session_id = ?3 AND expires_at > ${NOW_MS}) < ${PAGE_KEYS_MAX}
  RETURNING expires_at AS expiresAt`;

/** The keys of an account that people made, the latest first. */
export async function listKeys(db: D1Database, accountId: string): Promise<readonly OwnKey[]> {
  return (await db.prepare(LIST).bind(accountId).all<OwnKey>()).results;
}

/** Makes a key. Itself it is in this answer and nowhere else. @returns null if the account has as many as it may */
export async function createKey(
  db: D1Database,
  config: Config,
  { accountId, kind, label }: { readonly accountId: string; readonly kind: OwnKind; readonly label: string },
): Promise<(OwnKey & { readonly key: string }) | null> {
  const key = await mintKey(config, kind);
  const made = await db
    .prepare(MAKE)
    .bind(await hashKey(key), newId('key'), accountId, label, key.slice(-HINT_LENGTH), kind)
    .first<OwnKey>();
  return made === null ? null : { ...made, key };
}

/** @returns false if the account has no key of this id */
export async function deleteKey(db: D1Database, accountId: string, keyId: string): Promise<boolean> {
  return (await db.prepare(DELETE).bind(accountId, keyId).first()) !== null;
}

/**
 * A key for the calls that a page makes of the public API: it ends after 15 minutes, or with its session. All keys of
 * one person in one account share one limit.
 * @returns null if the session has ended, or has too many
 */
export async function createPageKey(
  db: D1Database,
  config: Config,
  { id, account, person }: Session,
): Promise<{ readonly key: string; readonly expiresAt: number } | null> {
  const key = await mintPageKey(config, `${account.id} ${person.id}`);
  const made = await db
    .prepare(MAKE_PAGE_KEY)
    .bind(await hashKey(key), newId('key'), id, account.id)
    .first<{ expiresAt: number }>();
  return made === null ? null : { key, expiresAt: made.expiresAt };
}
