import { NOW_MS } from '../ledger/clock.ts';
import type { MailedLink } from './links.ts';
import { ownAccount } from './own-account.ts';
import { openSession, type NewSession } from './sessions.ts';
import { newAccountId, newId } from './token.ts';
import { type Welcome, welcome } from './welcome.ts';

const MEET = `
  INSERT INTO people (id, email, created_at) VALUES (?1, ?2, ${NOW_MS}) ON CONFLICT (email) DO NOTHING`;

const MEET_INVITED = `
  INSERT INTO people (id, email, created_at)
  SELECT ?1, email, ${NOW_MS} FROM invitations WHERE email = ?2 AND id = ?3 AND expires_at > ${NOW_MS}
      ON CONFLICT (email) DO NOTHING`;

/** The address must be the invited one: an invitation is for no one else. */
const ACCEPT = `
  INSERT INTO memberships (account_id, person_id, role, joined_at)
  SELECT i.account_id, p.id, i.role, ${NOW_MS} FROM invitations i JOIN people p ON p.email = i.email
   WHERE i.id = ?1 AND i.email = ?2 AND i.expires_at > ${NOW_MS}
      ON CONFLICT DO NOTHING`;

const TAKE_INVITATION = `
  DELETE FROM invitations WHERE id = ?1 AND email = ?2 AND expires_at > ${NOW_MS} RETURNING id`;

export type SignedIn =
  | { readonly kind: 'signed_in'; readonly session: NewSession }
  /** The invitation was withdrawn or has expired. */
  | { readonly kind: 'no_invitation' };

/**
 * Signs in the person who used a mailed link: an invitation makes them a member of its account, and a person without an
 * account gets one of their own. One transaction, in which a new person also gets their welcome credits.
 * @param device a short name of the browser
 * @param gift what a new person gets, and the time it counts from, in milliseconds since 1970 UTC
 * @param database the number of the one that a new account gets
 */
export async function signIn(
  db: D1Database,
  { email, invitationId }: MailedLink,
  device: string,
  gift: { readonly welcome: Welcome | null; readonly nowMs: number },
  database = 0,
): Promise<SignedIn> {
  const { session, insert } = await openSession(db, { openedBy: 'link', device });
  if (invitationId === null) {
    const who = { personId: newId('per'), accountId: newAccountId() };
    await db.batch([
      db.prepare(MEET).bind(who.personId, email),
      ...ownAccount(db, who.accountId, email, database),
      ...(gift.welcome === null
        ? []
        : welcome(db, gift.welcome, who, { nowMs: gift.nowMs, isElsewhere: database > 0 })),
      insert.intoFirstAccount(email),
    ]);
    return { kind: 'signed_in', session };
  }
  const results = await db.batch([
    db.prepare(MEET_INVITED).bind(newId('per'), email, invitationId),
    db.prepare(ACCEPT).bind(invitationId, email),
    insert.intoInvitation(email, invitationId),
    db.prepare(TAKE_INVITATION).bind(invitationId, email),
  ]);
  return results.at(-1)?.results.length === 1 ? { kind: 'signed_in', session } : { kind: 'no_invitation' };
}
