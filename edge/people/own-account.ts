import { NOW_MS } from '../ledger/clock.ts';

/** The owners can change it. */
const FIRST_NAME = 'My account';

/** Only for somebody who belongs to no account: so of two calls at once one opens one. */
const OPEN = `
  INSERT INTO accounts (id, name, created_at)
  SELECT ?1, '${FIRST_NAME}', ${NOW_MS} FROM people p
   WHERE p.email = ?2 AND NOT EXISTS (SELECT 1 FROM memberships m WHERE m.person_id = p.id)
  RETURNING id`;

const JOIN = `
  INSERT INTO memberships (account_id, person_id, role, joined_at)
  SELECT a.id, p.id, 'owner', ${NOW_MS} FROM accounts a, people p WHERE a.id = ?1 AND p.email = ?2
      ON CONFLICT DO NOTHING`;

/**
 * The statements that give a person without an account one of their own; the first returns a row if they did.
 * @param accountId what the new account is to be called
 */
export function ownAccount(db: D1Database, accountId: string, email: string): readonly D1PreparedStatement[] {
  return [OPEN, JOIN].map((text) => db.prepare(text).bind(accountId, email));
}
