import { NOW_MS } from '../ledger/clock.ts';
import { newId } from './token.ts';

const MEET = `
  INSERT INTO people (id, email, created_at)
  SELECT ?2, ?3, ${NOW_MS} FROM accounts WHERE id = ?1 ON CONFLICT (email) DO NOTHING`;

const ADD = `
  INSERT INTO memberships (account_id, person_id, role, joined_at)
  SELECT a.id, p.id, 'owner', ${NOW_MS} FROM accounts a JOIN people p ON p.email = ?2 WHERE a.id = ?1
      ON CONFLICT (account_id, person_id) DO UPDATE SET role = 'owner' WHERE role <> 'owner'
  RETURNING role`;

const FIND = 'SELECT 1 AS found FROM accounts WHERE id = ?1';

/**
 * Adds an owner by email address, on behalf of the operator, who knows whose account it is. They see it when they sign
 * in, beside any other accounts of theirs.
 */
export async function addOwner(
  db: D1Database,
  accountId: string,
  email: string,
): Promise<'added' | 'repeated' | 'unknown_account'> {
  const [, added, found] = await db.batch([
    db.prepare(MEET).bind(accountId, newId('per'), email),
    db.prepare(ADD).bind(accountId, email),
    db.prepare(FIND).bind(accountId),
  ]);
  if (found?.results.length !== 1) return 'unknown_account';
  return added?.results.length === 1 ? 'added' : 'repeated';
}
