import { NOW_MS } from '../ledger/clock.ts';

/** The owners can change it. */
const FIRST_NAME = 'My account';

/** Only for a person without an account: so of two concurrent calls one opens an account. */
const OPEN = `
  INSERT INTO accounts (id, name, created_at, database, unopened)
  SELECT ?1, '${FIRST_NAME}', ${NOW_MS}, nullif(?3, 0), iif(?3 = 0, NULL, 0) FROM people p
   WHERE p.email = ?2 AND NOT EXISTS (SELECT 1 FROM memberships m WHERE m.person_id = p.id)
  RETURNING id`;

const JOIN = `
  INSERT INTO memberships (account_id, person_id, role, joined_at)
  SELECT a.id, p.id, 'owner', ${NOW_MS} FROM accounts a, people p WHERE a.id = ?1 AND p.email = ?2
      ON CONFLICT DO NOTHING`;

/**
 * The statements that give a person without an account one of their own; the first returns a row if they did.
 * @param accountId the id of the new account
 * @param database the number of the one that gets its money, where the next call that needs it opens it
 */
export function ownAccount(
  db: D1Database,
  accountId: string,
  email: string,
  database: number,
): readonly D1PreparedStatement[] {
  return [db.prepare(OPEN).bind(accountId, email, database), db.prepare(JOIN).bind(accountId, email)];
}
