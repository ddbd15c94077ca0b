import type { Ends } from '../../schema/pages-api.ts';
import { databaseWith, type Home } from '../base/databases.ts';
import { forgetCalls } from '../call-log/forget-calls.ts';
import { readBalance } from '../ledger/account.ts';
import { NOW_MS } from '../ledger/clock.ts';

// Deleting a person deletes everything of theirs: address, sessions, passkeys, links, invitations. What belongs to an
// account stays with it: its ledger, orders (without the person who ordered) and usage. An account left without people
// is closed: its keys and the log of its calls end at once.

/** SQL: an account of this person (?1) that has other people, none of whom is an owner. */
const BLOCKING = `
  SELECT a.name FROM memberships m JOIN accounts a ON a.id = m.account_id
   WHERE m.person_id = ?1 AND m.role = 'owner'
     AND EXISTS (SELECT 1 FROM memberships o WHERE o.account_id = m.account_id AND o.person_id <> ?1)
     AND NOT EXISTS (
       SELECT 1 FROM memberships o WHERE o.account_id = m.account_id AND o.person_id <> ?1 AND o.role = 'owner')`;

/** SQL: their accounts that have no other people. */
const ALONE = `
  SELECT m.account_id FROM memberships m
   WHERE m.person_id = ?1
     AND NOT EXISTS (SELECT 1 FROM memberships o WHERE o.account_id = m.account_id AND o.person_id <> ?1)`;

const ALLOWED = `NOT EXISTS (${BLOCKING})`;
const UNPAID = `
  SELECT id FROM orders
   WHERE state = 'open' AND checkout_id IS NOT NULL AND account_id IN (${ALONE}) AND ${ALLOWED}`;
const CLOSE_ACCOUNTS = [
  `DELETE FROM invitations WHERE account_id IN (${ALONE}) AND ${ALLOWED}`,
  `UPDATE accounts SET name = 'Closed account', low_balance_at = 0 WHERE id IN (${ALONE}) AND ${ALLOWED}`,
];
const LEAVE = `DELETE FROM memberships WHERE person_id = ?1 AND ${ALLOWED}`;
/** After LEAVE: true unless the person had to be kept. */
const HAS_LEFT = 'NOT EXISTS (SELECT 1 FROM memberships WHERE person_id = ?1)';
const FORGET = [
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

const ENDING = `
  SELECT a.id, a.name, coalesce(a.database, 0) AS database,
         (SELECT count(*) FROM orders o WHERE o.account_id = a.id AND o.state = 'open') AS openOrders
    FROM accounts a WHERE a.id IN (${ALONE})`;
type Ending = Omit<Ends['accounts'][number], 'credits'> & { readonly id: string; readonly database: number };

/** What deleting a person ends, before it is done. */
export async function whatEnds(home: Home, personId: string): Promise<Ends> {
  const [blocked, ending] = await Promise.all([
    home.db.prepare(BLOCKING).bind(personId).first<string>('name'),
    home.db.prepare(ENDING).bind(personId).all<Ending>(),
  ]);
  const accounts = ending.results.map(async ({ id, name, database, openOrders }) => {
    const money = await readBalance(databaseWith(home, database), id);
    return { name, openOrders, credits: money?.credits ?? 0 };
  });
  return { accounts: await Promise.all(accounts), lastOwnerOf: blocked };
}

/** The closing accounts in each database, bound as ?1, as a JSON list. */
const CLOSED = 'IN (SELECT value FROM json_each(?1))';
const CLOSE_THERE = [
  `DELETE FROM api_keys WHERE account_id ${CLOSED}`,
  `DELETE FROM idempotency_keys WHERE account_id ${CLOSED}`,
  `UPDATE accounts SET low_balance_at = 0 WHERE id ${CLOSED}`,
];
const FORGET_THERE = [
  "DELETE FROM api_keys WHERE made_by = ?1 AND kind = 'page'",
  'UPDATE api_keys SET made_by = NULL WHERE made_by = ?1',
];

/**
 * Deletes a person: first their keys in every database, so that none outlives them, then the rest in one transaction.
 * @throws what a database that does not answer throws; a repeated call continues
 */
export async function deletePerson({ db, all }: Home, personId: string): Promise<Deleted> {
  const [blocked, alone] = await db.batch<{ readonly name: string; readonly account_id: string }>(
    [BLOCKING, ALONE].map((text) => db.prepare(text).bind(personId)),
  );
  const [kept] = blocked?.results ?? [];
  if (kept !== undefined) return { kind: 'last_owner', account: kept.name };
  const ids = alone?.results.map(({ account_id: id }) => id) ?? [];
  const closed = JSON.stringify(ids);
  await Promise.all(
    all.map(async (there, database) =>
      there.batch([
        ...(await Promise.all(ids.map((id) => forgetCalls(there, database, id)))).flat(),
        ...CLOSE_THERE.map((text) => there.prepare(text).bind(closed)),
        ...FORGET_THERE.map((text) => there.prepare(text).bind(personId)),
      ]),
    ),
  );
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
    'linksWaiting', (SELECT count(*) FROM mailed_links l WHERE l.email = p.email AND l.expires_at > ${NOW_MS}),
    'orders', (SELECT json_group_array(json_object('id', o.id, 'account', o.account_id, 'credits', o.credits,
                          'amount', o.amount, 'currency', o.currency, 'state', o.state, 'createdAt', o.created_at,
                          'paidAt', o.paid_at))
                   FROM orders o WHERE o.person_id = p.id)) AS person
    FROM people p WHERE p.id = ?1`;

const KEYS_MADE = `
  SELECT id, account_id AS account, label, created_at AS createdAt FROM api_keys WHERE made_by = ?1 AND kind <> 'page'`;

/** Everything stored about a person, for JSON; times are milliseconds since 1970 UTC. */
export async function exportPerson({ db, all }: Home, personId: string): Promise<object> {
  const found = await db.prepare(EXPORT).bind(personId).first<string>('person');
  if (found === null) throw new Error('the person was deleted during the request');
  const keys = await Promise.all(all.map((there) => there.prepare(KEYS_MADE).bind(personId).all()));
  const stored: unknown = JSON.parse(found);
  return { ...Object(stored), keysMade: keys.flatMap(({ results }) => results) };
}
