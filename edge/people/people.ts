import type { AccountOfPerson, PersonEntry } from '../../schema/pages-api.ts';
import type { Role } from '../../schema/words/stored.ts';
import type { AsStored } from '../base/time-text.ts';

// The people of an account. The statements themselves ensure that an account with people has an owner.

type PersonRow = AsStored<PersonEntry, 'joinedAt'>;
/** `not_owner`: the person making the change is no longer an owner. */
export type Changed = 'changed' | 'unknown' | 'last_owner' | 'not_owner';

const PEOPLE = `
  SELECT p.id, p.email, m.role, m.joined_at AS joinedAt FROM memberships m JOIN people p ON p.id = m.person_id
   WHERE m.account_id = ?1 ORDER BY m.joined_at, p.id LIMIT 500`;

const ACCOUNTS = `
  SELECT a.id, a.name, m.role FROM memberships m JOIN accounts a ON a.id = m.account_id
   WHERE m.person_id = ?1 ORDER BY m.joined_at, a.id LIMIT 100`;

/** SQL: whether the account bound as ?1 has an owner besides the person bound as ?2. */
const ANOTHER_OWNER = `EXISTS (
  SELECT 1 FROM memberships o WHERE o.account_id = ?1 AND o.role = 'owner' AND o.person_id <> ?2)`;

/** SQL: whether the person bound as ?3, who makes the change, is an owner. */
const BY_OWNER = `EXISTS (
  SELECT 1 FROM memberships b WHERE b.account_id = ?1 AND b.person_id = ?3 AND b.role = 'owner')`;

const SET_ROLE = `
  UPDATE memberships SET role = ?4
   WHERE account_id = ?1 AND person_id = ?2 AND (?4 = 'owner' OR ${ANOTHER_OWNER}) AND ${BY_OWNER} RETURNING role`;

const TAKE_OUT = `
  DELETE FROM memberships
   WHERE account_id = ?1 AND person_id = ?2 AND ${ANOTHER_OWNER} AND (?3 = ?2 OR ${BY_OWNER}) RETURNING role`;
/** Otherwise a former owner could return by an invitation to another mailbox of theirs. */
const DROP_INVITATIONS = `
  DELETE FROM invitations
   WHERE account_id = ?1 AND invited_by = ?2
     AND NOT EXISTS (SELECT 1 FROM memberships WHERE account_id = ?1 AND person_id = ?2 AND role = 'owner')`;
/** Keys of a person who left: their page keys, which would last for a quarter of an hour, or all that they made. */
const END_KEYS = "DELETE FROM api_keys WHERE account_id = ?1 AND made_by = ?2 AND (kind = 'page' OR ?3 = 'end')";
const IS_MEMBER = 'SELECT role FROM memberships WHERE account_id = ?1 AND person_id = ?2';
const IS_OWNER = `${IS_MEMBER} AND role = 'owner'`;

const CHANGE_ACCOUNT = `
  UPDATE accounts SET name = coalesce(?2, name), low_balance_at = iif(?4, ?3, low_balance_at) WHERE id = ?1`;

/** The people of an account, in the order in which they joined. */
export async function listPeople(db: D1Database, accountId: string): Promise<readonly PersonRow[]> {
  return (await db.prepare(PEOPLE).bind(accountId).all<PersonRow>()).results;
}

/** The accounts of a person, in the order in which they joined them. */
export async function accountsOf(db: D1Database, personId: string): Promise<readonly AccountOfPerson[]> {
  return (await db.prepare(ACCOUNTS).bind(personId).all<AccountOfPerson>()).results;
}

/** Changes a person's role. @param by who does it: an owner */
export async function setRole(
  db: D1Database,
  accountId: string,
  personId: string,
  role: Role,
  by: string,
): Promise<Changed> {
  const [set, , found, owner] = await db.batch([
    db.prepare(SET_ROLE).bind(accountId, personId, by, role),
    db.prepare(DROP_INVITATIONS).bind(accountId, personId),
    db.prepare(IS_MEMBER).bind(accountId, personId),
    db.prepare(IS_OWNER).bind(accountId, by),
  ]);
  return outcome(set, found, owner);
}

/**
 * What happens to the keys of a person who leaves: they belong to the account, and its owners may know them to be in
 * use.
 */
export type KeysOf = 'stay' | 'end';

/**
 * Removes a person from an account, and then ends their keys. If that fails, an owner's repeated call does it.
 * @param home the account's database
 * @param by who does it: an owner, or they themselves
 * @param keys what happens to the keys that they made there
 */
export async function removeMember(
  db: D1Database,
  { accountId, personId, home }: { readonly accountId: string; readonly personId: string; readonly home: D1Database },
  by: string,
  keys: KeysOf,
): Promise<Changed> {
  const [taken, , found, owner] = await db.batch([
    db.prepare(TAKE_OUT).bind(accountId, personId, by),
    db.prepare(DROP_INVITATIONS).bind(accountId, personId),
    db.prepare(IS_MEMBER).bind(accountId, personId),
    db.prepare(IS_OWNER).bind(accountId, by),
  ]);
  const changed = outcome(taken, found, owner);
  if (changed === 'changed' || (changed === 'unknown' && owner?.results.length === 1))
    await home.prepare(END_KEYS).bind(accountId, personId, keys).run();
  return changed;
}

function outcome(changed: D1Result | undefined, found: D1Result | undefined, owner: D1Result | undefined): Changed {
  if (changed?.results.length === 1) return 'changed';
  if (found?.results.length !== 1) return 'unknown';
  return owner?.results.length === 1 ? 'last_owner' : 'not_owner';
}

/** Changes an account: what is given. */
export async function changeAccount(
  db: D1Database,
  accountId: string,
  { name, lowBalanceAt }: { readonly name: string | undefined; readonly lowBalanceAt: number | null | undefined },
): Promise<void> {
  const hasLimit = lowBalanceAt !== undefined;
  await db
    .prepare(CHANGE_ACCOUNT)
    .bind(accountId, name ?? null, lowBalanceAt ?? null, hasLimit ? 1 : 0)
    .run();
}
