import { NOW_MS } from '../ledger/clock.ts';
import { persist } from '../ledger/transient.ts';
import { ownAccount } from './own-account.ts';
import { openSession, type NewSession } from './sessions.ts';
import { hashToken, newAccountId, newId } from './token.ts';
import { type Welcome, welcome } from './welcome.ts';
import { OPEN_LINK } from './links.ts';

const MEET = `
  INSERT INTO people (id, email, created_at) SELECT ?2, l.email, ${NOW_MS} FROM ${OPEN_LINK}
      ON CONFLICT (email) DO NOTHING`;

const ACCEPT = `
  INSERT INTO memberships (account_id, person_id, role, joined_at)
  SELECT i.account_id, p.id, i.role, ${NOW_MS} FROM people p, ${OPEN_LINK} AND p.email = i.email
      ON CONFLICT DO NOTHING`;
const TAKE_INVITATION = `DELETE FROM invitations WHERE id = (SELECT i.id FROM ${OPEN_LINK})`;

const USE = 'DELETE FROM mailed_links WHERE hash = ?1';
const IS_IN = 'SELECT 1 AS found FROM sessions WHERE id = ?1';

/**
 * Signs in the person who opened a mailed link. A person without an account gets one of their own; a link that was sent
 * to accept an invitation makes them a member of its account instead. The link is used up in the same transaction,
 * in which a new person also gets their welcome credits.
 * @param link its token, and the address that it was mailed to
 * @param device a short name of the browser
 * @param gift what a new person gets, and the time it counts from, in milliseconds since 1970 UTC
 * @param database the number of the one that a new account gets
 * @returns null if the link has been used, or has expired, or its invitation has
 */
export async function signIn(
  db: D1Database,
  link: { readonly token: string; readonly email: string },
  device: string,
  gift: { readonly welcome: Welcome | null; readonly nowMs: number },
  database = 0,
): Promise<NewSession | null> {
  const hash = await hashToken(link.token);
  const { session, insert } = await openSession(db, { openedBy: 'link', device });
  const who = { personId: newId('per'), accountId: newAccountId() };
  const results = await persist(2, () =>
    db.batch([
      db.prepare(MEET).bind(hash, who.personId),
      db.prepare(ACCEPT).bind(hash),
      ...ownAccount(db, who.accountId, link.email, database),
      ...(gift.welcome === null ? [] : welcome(db, gift.welcome, who, { nowMs: gift.nowMs, isRemote: database > 0 })),
      insert.byLink(hash),
      db.prepare(TAKE_INVITATION).bind(hash),
      db.prepare(USE).bind(hash),
      db.prepare(IS_IN).bind(session.id),
    ]),
  );
  return results.at(-1)?.results.length === 1 ? session : null;
}
