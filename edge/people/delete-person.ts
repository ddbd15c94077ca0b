import { NOW_MS } from '../ledger/clock.ts';

// Deleting a person takes everything that is theirs: address, sessions, passkeys, links, invitations. What is an
// account's stays with it: its ledger, orders (without who ordered) and usage. An account that would be left without
// people is closed: its keys end at once.

/** SQL: an account of this person (?1) that has other people, none of whom is an owner. */
const BLOCKING = `
  SELECT a.name FROM memberships m JOIN accounts a ON a.id = m.account_id
   WHERE m.person_id = ?1 AND m.role = 'owner'
     AND EXISTS (SELECT 1 FROM memberships o WHERE o.account_id = m.account_id AND o.person_id <> ?1)
     AND NOT EXISTS (
       SELECT 1 FROM memberships o WHERE o.account_id = m.account_id AND o.person_id <> ?1 AND o.role = 'owner')`;

/** SQL: the accounts that have nobody else. */
const ALONE = `
  SELECT m.account_id FROM memberships m
   WHERE m.person_id = ?1
     AND NOT EXISTS (SELECT 1 FROM memberships o WHERE o.account_id = m.account_id AND o.person_id <> ?1)`;

const ALLOWED = `NOT EXISTS (${BLOCKING})`;
const UNPAID = `
  SELECT id FROM orders
   WHERE state = 'open' AND checkout_id IS NOT NULL AND account_id IN (${ALONE}) AND ${ALLOWED}`;
const CLOSE_ACCOUNTS = [
  `DELETE FROM api_keys WHERE account_id IN (${ALONE}) AND ${ALLOWED}`,
  `DELETE FROM invitations WHERE account_id IN (${ALONE}) AND ${ALLOWED}`,
  `DELETE FROM idempotency_keys WHERE account_id IN (${ALONE}) AND ${ALLOWED}`,
  `UPDATE accounts SET name = 'Closed account', low_balance_at = 0 WHERE id IN (${ALONE}) AND ${ALLOWED}`,
];
const LEAVE = `DELETE FROM memberships WHERE person_id = ?1 AND ${ALLOWED}`;
/** After LEAVE: true unless the person had to be kept. */
const HAS_LEFT = 'NOT EXISTS (SELECT 1 FROM memberships WHERE person_id = ?1)';
const FORGET = [
  `DELETE FROM api_keys WHERE session_id IN (SELECT id FROM sessions WHERE person_id = ?1) AND ${HAS_LEFT}`,
  `UPDATE api_keys SET made_by = NULL WHERE made_by = ?1 AND ${HAS_LEFT}`,
  `DELETE FROM sessions WHERE person_id = ?1 AND ${HAS_LEFT}`,
  `DELETE FROM passkeys WHERE person_id = ?1 AND ${HAS_LEFT}`,
  `DELETE FROM challenges WHERE person_id = ?1 AND ${HAS_LEFT}`,
  `DELETE FROM invitations
    WHERE (invited_by = ?1 OR email = (SELECT email FROM people WHERE id = ?1)) AND ${HAS_LEFT}`,
  `DELETE FROM mailed_links WHERE email = (SELECT email FROM people WHERE id = ?1) AND ${HAS_LEFT}`,
  `UPDATE orders SET person_id = NULL WHERE person_id = ?1 AND ${HAS_LEFT}`,
  `DELETE FROM people WHERE id = ?1 AND ${HAS_LEFT}`,
];

export type Deleted =
  /** `unpaid`: the orders of their closed accounts that could still be paid at Stripe. */
  | { readonly kind: 'deleted'; readonly unpaid: readonly string[] }
  /** They are the last owner of an account that others use. */
  | { readonly kind: 'last_owner'; readonly account: string };

/** Deletes a person, whole or not at all: one transaction. Repeated it changes nothing. */
export async function deletePerson(db: D1Database, personId: string): Promise<Deleted> {
  const statements = [BLOCKING, UNPAID, ...CLOSE_ACCOUNTS, LEAVE, ...FORGET];
  const results = await db.batch<{ readonly name: string; readonly id: string }>(
    statements.map((text) => db.prepare(text).bind(personId)),
  );
  const [blocking] = results[0]?.results ?? [];
  if (blocking !== undefined) return { kind: 'last_owner', account: blocking.name };
  return { kind: 'deleted', unpaid: results[1]?.results.map(({ id }) => id) ?? [] };
}

const EXPORT = `
  SELECT json_object(
    'email', p.email, 'id', p.id, 'createdAt', p.created_at,
    'accounts', (SELECT json_group_array(json_object('id', a.id, 'name', a.name, 'role', m.role, 'joinedAt', m.joined_at))
                   FROM memberships m JOIN accounts a ON a.id = m.account_id WHERE m.person_id = p.id),
    'sessions', (SELECT json_group_array(json_object('id', s.id, 'device', s.device, 'openedBy', s.opened_by,
                          'createdAt', s.created_at, 'lastUsedDay', s.last_used_day, 'expiresAt', s.expires_at))
                   FROM sessions s WHERE s.person_id = p.id),
    'passkeys', (SELECT json_group_array(json_object('id', k.id, 'label', k.label, 'createdAt', k.created_at,
                          'lastUsedAt', k.last_used_at, 'publicKey', k.public_key))
                   FROM passkeys k WHERE k.person_id = p.id),
    'invitationsSent', (SELECT json_group_array(json_object('email', i.email, 'account', i.account_id, 'role', i.role,
                          'createdAt', i.created_at, 'expiresAt', i.expires_at))
                   FROM invitations i WHERE i.invited_by = p.id),
    'invitationsReceived', (SELECT json_group_array(json_object('account', i.account_id, 'role', i.role,
                          'createdAt', i.created_at, 'expiresAt', i.expires_at))
                   FROM invitations i WHERE i.email = p.email),
    'keysMade', (SELECT json_group_array(json_object('id', k.id, 'account', k.account_id, 'label', k.label,
                          'createdAt', k.created_at)) FROM api_keys k WHERE k.made_by = p.id),
    'linksWaiting', (SELECT count(*) FROM mailed_links l WHERE l.email = p.email AND l.expires_at > ${NOW_MS}),
    'orders', (SELECT json_group_array(json_object('id', o.id, 'account', o.account_id, 'credits', o.credits,
                          'amount', o.amount, 'currency', o.currency, 'state', o.state, 'createdAt', o.created_at,
                          'paidAt', o.paid_at))
                   FROM orders o WHERE o.person_id = p.id)) AS person
    FROM people p WHERE p.id = ?1`;

/** Everything that is stored about a person, as JSON; times are milliseconds since 1970 UTC. */
export async function exportPerson(db: D1Database, personId: string): Promise<string> {
  const found = await db.prepare(EXPORT).bind(personId).first<string>('person');
  if (found === null) throw new Error('the person was deleted during the request');
  return found;
}
