import type { KeyCaps, PageKeyEntry } from '../../schema/pages-api.ts';
import type { KeyKind, Role } from '../../schema/words/stored.ts';
import { hashKey, hintOf } from '../access/key.ts';
import { mintKey } from '../access/mint.ts';
import type { Config } from '../base/config.ts';
import type { Home } from '../base/databases.ts';
import type { AsStored } from '../base/time-text.ts';
import { SPENT_THIS_MONTH, SPENT_TODAY } from '../ledger/caps.ts';
import { NOW_MS } from '../ledger/clock.ts';
import type { Session } from './sessions.ts';
import { newId } from './token.ts';

// The keys of an account that its people and operators make, and those that their pages use for a quarter of an hour.
// They are in the account's database alone; the directory knows the people who made them.

const KEYS_MAX = 50;
const PAGE_KEY_MS = 15 * 60_000;
/** A page renews its key some minutes before it ends; normal use needs far fewer keys than this per session. */
const PAGE_KEYS_MAX = 20;

export type OwnKind = Exclude<KeyKind, 'page'>;
type Row = AsStored<Pick<PageKeyEntry, 'id' | 'kind' | 'label' | 'hint' | 'createdAt'>, 'createdAt'> &
  NonNullable<PageKeyEntry['caps']> & {
    readonly lastUsedDay: number;
    /** For a form's key, which is public: the key and its settings, as JSON. */
    readonly form: string | null;
  };
const NO_CAPS: KeyCaps = { dayCap: null, monthCap: null };
export type OwnKey = Row & {
  /** An email address; null if an operator made it, or it is unknown. */
  readonly madeBy: string | null;
  /** Whether the person reading this may delete and change it. */
  readonly mayDelete: boolean;
};
/** `not_allowed`: someone else made it, and the person deleting it is no owner. */
export type DeletedKey = 'deleted' | 'unknown' | 'not_allowed';

const LIST = `
  SELECT id, kind, label, hint, created_at AS createdAt, last_used_day AS lastUsedDay, form, made_by AS maker,
         day_cap AS dayCap, month_cap AS monthCap, ${SPENT_TODAY} AS spentToday, ${SPENT_THIS_MONTH} AS spentThisMonth
    FROM api_keys k WHERE account_id = ?1 AND kind <> 'page' ORDER BY created_at DESC, id LIMIT 500`;

const MAKERS = `
  SELECT p.id, p.email, m.role FROM people p LEFT JOIN memberships m ON m.person_id = p.id AND m.account_id = ?1
   WHERE p.id IN (SELECT value FROM json_each(?2))`;

const MAKE = `
  INSERT INTO api_keys (hash, id, account_id, label, hint, created_at, kind, made_by, form, day_cap, month_cap)
  SELECT ?1, ?2, ?3, ?4, ?5, ${NOW_MS}, ?6, ?7, ?8, ?9, ?10
   WHERE ?7 IS NULL OR (SELECT count(*) FROM api_keys WHERE account_id = ?3 AND kind <> 'page') < ${KEYS_MAX}
      ON CONFLICT DO NOTHING RETURNING id`;

const DELETE = 'DELETE FROM api_keys WHERE account_id = ?1 AND id = ?2 RETURNING id';

/** ?4 leaves out the key itself, which stays as it is. */
const CHANGE = `
  UPDATE api_keys SET label = ?3, form = json_set(?4, '$.key', form ->> 'key') WHERE account_id = ?1 AND id = ?2`;

const CAP = `
  UPDATE api_keys SET day_cap = ?3, month_cap = ?4 WHERE account_id = ?1 AND id = ?2 AND kind = 'live' RETURNING id`;

const MAKE_PAGE_KEY = `
  INSERT INTO api_keys (hash, id, account_id, label, hint, created_at, kind, expires_at, session_id, made_by)
  SELECT ?1, ?2, ?3, '', '', ${NOW_MS}, 'page', ${NOW_MS} + ${PAGE_KEY_MS}, ?4, ?5
   WHERE (SELECT count(*) FROM api_keys WHERE session_id = ?4 AND expires_at > ${NOW_MS}) < ${PAGE_KEYS_MAX}
  RETURNING expires_at AS expiresAt`;

const END_OF_SESSION = 'DELETE FROM api_keys WHERE session_id = ?1';
export const DROP_OLD_PAGE_KEYS = `DELETE FROM api_keys WHERE kind = 'page' AND expires_at < ${NOW_MS}`;

/** `form`: the settings of a form's key. */
type NewKey = {
  readonly kind: OwnKind;
  readonly label: string;
  readonly id?: string;
  readonly form?: object;
  readonly caps?: KeyCaps | undefined;
};

/** An account, the person who asks (null: an operator), and its database; the directory is the first of all. */
export type Asked = { readonly accountId: string; readonly by: string | null; readonly home: Home };

/**
 * The visible keys of an account, newest first. An owner may delete any key, a member only what members made: not an
 * owner's, and not one of unknown origin.
 */
export async function listKeys({ accountId, by, home }: Asked): Promise<readonly OwnKey[]> {
  const keys = await home.db.prepare(LIST).bind(accountId).all<Row & { readonly maker: string | null }>();
  const makers = await (home.all[0] ?? home.db)
    .prepare(MAKERS)
    .bind(accountId, JSON.stringify([by, ...keys.results.map(({ maker }) => maker)]))
    .all<{ readonly id: string; readonly email: string; readonly role: Role | null }>();
  const people = new Map(makers.results.map((person) => [person.id, person]));
  const role = people.get(by ?? '')?.role;
  return keys.results.map(({ maker, ...key }) => {
    const madeBy = people.get(maker ?? '');
    return {
      ...key,
      madeBy: madeBy?.email ?? null,
      mayDelete: role === 'owner' || (role === 'member' && madeBy?.role === 'member'),
    };
  });
}

/**
 * Makes a key. Only this answer contains the key itself.
 * @returns null if the account has as many as its people may make, or one with this id
 */
export async function createKey(
  config: Config,
  asked: Asked,
  { kind, label, id = newId('key'), form, caps = NO_CAPS }: NewKey,
): Promise<(OwnKey & { readonly key: string }) | null> {
  const { accountId, by, home } = asked;
  const key = await mintKey(config, { accountId, database: home.all.indexOf(home.db) }, kind);
  const formText = form === undefined ? null : JSON.stringify({ ...form, key });
  const inserted = await home.db
    .prepare(MAKE)
    .bind(await hashKey(key), id, accountId, label, hintOf(key), kind, by, formText, caps.dayCap, caps.monthCap)
    .first();
  const made = inserted === null ? undefined : (await listKeys(asked)).find((one) => one.id === id);
  return made === undefined ? null : { ...made, key };
}

/** Changes the label and the settings of a form's key. @returns false if there is none that this person may change */
export async function changeFormKey(
  asked: Asked,
  keyId: string,
  { label, form }: { readonly label: string; readonly form: object },
): Promise<boolean> {
  const key = (await listKeys(asked)).find(({ id }) => id === keyId);
  if (key === undefined || key.form === null || !key.mayDelete) return false;
  await asked.home.db.prepare(CHANGE).bind(asked.accountId, keyId, label, JSON.stringify(form)).run();
  return true;
}

/** Caps a live key of an account. @returns false if there is none with this id */
export async function capKey(
  { accountId, home }: Asked,
  keyId: string,
  { dayCap, monthCap }: KeyCaps,
): Promise<boolean> {
  return (await home.db.prepare(CAP).bind(accountId, keyId, dayCap, monthCap).first()) !== null;
}

export async function deleteKey(asked: Asked, keyId: string): Promise<DeletedKey> {
  const key = (await listKeys(asked)).find(({ id }) => id === keyId);
  if (key === undefined) return 'unknown';
  if (!key.mayDelete) return 'not_allowed';
  const deleted = await asked.home.db.prepare(DELETE).bind(asked.accountId, keyId).first();
  return deleted === null ? 'unknown' : 'deleted';
}

/**
 * A key for a page's calls of the public API: it ends after 15 minutes, or with its session.
 * @returns null if the session has too many
 */
export async function createPageKey(
  config: Config,
  home: Home,
  { id, account, person }: Session,
): Promise<{ readonly key: string; readonly expiresAt: number } | null> {
  const key = await mintKey(config, { accountId: account.id, database: home.all.indexOf(home.db) }, 'page');
  const made = await home.db
    .prepare(MAKE_PAGE_KEY)
    .bind(await hashKey(key), newId('key'), account.id, id, person.id)
    .first<{ expiresAt: number }>();
  return made === null ? null : { key, expiresAt: made.expiresAt };
}

/** Ends the page keys of a session. @param db the database of the session's account */
export async function endKeysOfSession(db: D1Database, sessionId: string): Promise<void> {
  await db.prepare(END_OF_SESSION).bind(sessionId).run();
}
