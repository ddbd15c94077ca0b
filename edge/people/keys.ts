import type { KeyKind } from '../../schema/words/stored.ts';
import { hashKey } from '../access/key.ts';
import { mintKey, mintPageKey } from '../access/mint.ts';
import type { Config } from '../base/config.ts';
import type { Home } from '../base/databases.ts';
import { NOW_MS } from '../ledger/clock.ts';
import { copyKey, dropDeadKeys, withLastUse } from '../ledger/keys-elsewhere.ts';
import type { Session } from './sessions.ts';
import { newId } from './token.ts';

// The keys of an account as its people and operators make them, and those that their pages carry for a quarter of an hour.

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
  /** An email address; null if an operator made it, or nobody knows. */
  readonly madeBy: string | null;
  /** 1: the person who reads this may delete it. */
  readonly mayDelete: 0 | 1;
  /** Of a form's key, which is public: the key and its settings, as JSON. */
  readonly form: string | null;
};
/** `not_allowed`: it is another's, and the person who deletes it is no owner. */
export type DeletedKey = 'deleted' | 'unknown' | 'not_allowed';

/** SQL: an owner may delete any key, a member what members made: neither an owner's nor one whose maker is not known. */
const mayDelete = (key: string, account: string, person: string): string => `EXISTS (
  SELECT 1 FROM memberships b
   WHERE b.account_id = ${account} AND b.person_id = ${person}
     AND (b.role = 'owner' OR EXISTS (
       SELECT 1 FROM memberships o
        WHERE o.account_id = ${account} AND o.person_id = ${key}.made_by AND o.role = 'member')))`;

/** Binds ?1 account, ?2 who reads it. */
const KEYS = `
  SELECT k.id, k.kind, k.label, k.hint, k.created_at AS createdAt, k.last_used_day AS lastUsedDay, p.email AS madeBy, k.form,
         ${mayDelete('k', '?1', '?2')} AS mayDelete
    FROM api_keys k LEFT JOIN people p ON p.id = k.made_by
   WHERE k.account_id = ?1 AND k.kind <> 'page'`;
const LIST = `${KEYS} ORDER BY k.created_at DESC, k.id LIMIT 500`;
const READ = `${KEYS} AND k.id = ?3`;

const MAKE = `
  INSERT INTO api_keys (hash, id, account_id, label, hint, created_at, kind, made_by, form)
  SELECT ?1, ?2, ?3, ?4, ?5, ${NOW_MS}, ?6, ?7, ?8
   WHERE ?7 IS NULL OR (SELECT count(*) FROM api_keys WHERE account_id = ?3 AND kind <> 'page') < ${KEYS_MAX}
      ON CONFLICT DO NOTHING RETURNING id`;

const DELETE = `
  DELETE FROM api_keys
   WHERE account_id = ?1 AND id = ?3 AND kind <> 'page' AND ${mayDelete('api_keys', '?1', '?2')} RETURNING id`;

/** ?4 is without the key itself, which stays as it is. */
const CHANGE = `
  UPDATE api_keys SET form = json_set(?4, '$.key', form ->> 'key')
   WHERE account_id = ?1 AND id = ?3 AND form IS NOT NULL AND ${mayDelete('api_keys', '?1', '?2')} RETURNING form`;

/** Only while the session stands and looks at this account: it may have ended since it was read. */
const MAKE_PAGE_KEY = `
  INSERT INTO api_keys (hash, id, account_id, label, hint, created_at, kind, expires_at, session_id)
  SELECT ?1, ?2, s.account_id, '', '', ${NOW_MS}, 'page', ${NOW_MS} + ${PAGE_KEY_MS}, s.id
    FROM sessions s
   WHERE s.id = ?3 AND s.account_id = ?4
     AND (SELECT count(*) FROM api_keys WHERE session_id = ?3 AND expires_at > ${NOW_MS}) < ${PAGE_KEYS_MAX}
  RETURNING expires_at AS expiresAt`;

/** `form`: the settings of a form's key. */
type NewKey = { readonly kind: OwnKind; readonly label: string; readonly id?: string; readonly form?: object };

/** An account, by whom it is asked about (null: an operator), and where it is; its directory is the first of all. */
export type Asked = { readonly accountId: string; readonly by: string | null; readonly home: Home };

const directoryOf = ({ db, all }: Home): D1Database => all[0] ?? db;

/** The keys of an account that people know of, the latest first. */
export async function listKeys({ accountId, by, home }: Asked): Promise<readonly OwnKey[]> {
  const directory = directoryOf(home);
  const { results } = await directory.prepare(LIST).bind(accountId, by).all<OwnKey>();
  return withLastUse(directory, home.db, accountId, results);
}

/**
 * Makes a key. Itself it is in this answer and nowhere else.
 * @returns null if the account has as many as its people may make, or there is one of this id
 */
export async function createKey(
  config: Config,
  { accountId, by, home }: Asked,
  { kind, label, id = newId('key'), form }: NewKey,
): Promise<(OwnKey & { readonly key: string }) | null> {
  const db = directoryOf(home);
  const key = await mintKey(config, { accountId, database: home.all.indexOf(home.db) }, kind);
  const keyHash = await hashKey(key);
  const formText = form === undefined ? null : JSON.stringify({ ...form, key });
  const [inserted, read] = await db.batch<OwnKey>([
    db.prepare(MAKE).bind(keyHash, id, accountId, label, key.slice(-HINT_LENGTH), kind, by, formText),
    db.prepare(READ).bind(accountId, by, id),
  ]);
  const [made] = read?.results ?? [];
  if (inserted?.results.length !== 1 || made === undefined) return null;
  await copyKey(db, home.db, keyHash);
  return { ...made, key };
}

/** Changes the settings of a form's key. @returns false if there is none that this person may change */
export async function changeForm({ accountId, by, home }: Asked, keyId: string, form: object): Promise<boolean> {
  const directory = directoryOf(home);
  const settings = JSON.stringify(form);
  const changed = await directory.prepare(CHANGE).bind(accountId, by, keyId, settings).first<{ form: string }>();
  if (changed !== null && home.db !== directory)
    await home.db.prepare('UPDATE api_keys SET form = ?2 WHERE id = ?1').bind(keyId, changed.form).run();
  return changed !== null;
}

/** Deletes a key of an account. */
export async function deleteKey({ accountId, by, home }: Asked, keyId: string): Promise<DeletedKey> {
  const db = directoryOf(home);
  const [found, deleted] = await db.batch([READ, DELETE].map((text) => db.prepare(text).bind(accountId, by, keyId)));
  if (deleted?.results.length === 1) {
    await dropDeadKeys({ db, all: home.all }, [accountId]);
    return 'deleted';
  }
  return found?.results.length === 1 ? 'not_allowed' : 'unknown';
}

/**
 * A key for the calls that a page makes of the public API: it ends after 15 minutes, or with its session. All keys of
 * one person in one account share one limit.
 * @returns null if the session has ended, or has too many
 */
export async function createPageKey(
  config: Config,
  home: Home,
  { id, account, person }: Session,
): Promise<{ readonly key: string; readonly expiresAt: number } | null> {
  const db = directoryOf(home);
  const key = await mintPageKey(config, { accountId: account.id, database: home.all.indexOf(home.db) }, person.id);
  const keyHash = await hashKey(key);
  const made = await db
    .prepare(MAKE_PAGE_KEY)
    .bind(keyHash, newId('key'), id, account.id)
    .first<{ expiresAt: number }>();
  if (made === null) return null;
  await copyKey(db, home.db, keyHash);
  return { key, expiresAt: made.expiresAt };
}
