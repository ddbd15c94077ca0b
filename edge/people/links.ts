import type { LinkPreview } from '../../schema/pages-api.ts';
import { NOW_MS } from '../ledger/clock.ts';
import { countLink, type Sent } from './mail-limits.ts';
import { hashToken, newToken } from './token.ts';

// Mailed links. Using one proves that a person reads that mailbox; nothing else about them matters: not the browser,
// not the network, not who is signed in there.

const SIGN_IN_MS = 15 * 60_000;
export const INVITATION_MS = 7 * 86_400_000;
/** The most unused links for one address: one more would not help its owner. */
const WAITING_MAX = 3;

/** Follows the statement that counts its mail. */
const MAKE_SIGN_IN = `
  INSERT INTO mailed_links (hash, email, invitation_id, created_at, expires_at)
  SELECT ?1, ?2, NULL, ${NOW_MS}, ${NOW_MS} + ${SIGN_IN_MS} WHERE changes() = 1
  RETURNING hash`;

const MAKE_INVITATION = `
  INSERT INTO mailed_links (hash, email, invitation_id, created_at, expires_at)
  SELECT ?1, email, id, ${NOW_MS}, expires_at FROM invitations WHERE id = ?2`;

const LOOK = `
  SELECT l.email, l.invitation_id AS invitationId, a.name AS account, p.email AS invitedBy
    FROM mailed_links l
    LEFT JOIN invitations i ON i.id = l.invitation_id AND i.email = l.email AND i.expires_at > ${NOW_MS}
    LEFT JOIN accounts a ON a.id = i.account_id
    LEFT JOIN people p ON p.id = i.invited_by
   WHERE l.hash = ?1 AND l.expires_at > ${NOW_MS}`;

const USE = `
  DELETE FROM mailed_links WHERE hash = ?1 AND expires_at > ${NOW_MS}
  RETURNING email, invitation_id AS invitationId`;

const DROP = `DELETE FROM mailed_links WHERE expires_at < ${NOW_MS}`;

export type MailedLink = { readonly email: string; readonly invitationId: string | null };

/**
 * Creates a link that signs in the owner of this mailbox.
 * @returns its token; null if enough unused ones are there, or no mail may be sent for it now
 */
export async function makeSignInLink(db: D1Database, email: string, sent: Sent): Promise<string | null> {
  const token = newToken();
  const results = await db.batch([
    countLink(db, email, sent, WAITING_MAX),
    db.prepare(MAKE_SIGN_IN).bind(await hashToken(token), email),
  ]);
  return results[1]?.results.length === 1 ? token : null;
}

/** The statement that creates the link of an invitation. */
export function makeInvitationLink(db: D1Database, hash: string, invitationId: string): D1PreparedStatement {
  return db.prepare(MAKE_INVITATION).bind(hash, invitationId);
}

/** What a link is for, without using it; null if it is invalid or has expired. */
export async function lookAtLink(db: D1Database, token: string): Promise<LinkPreview | null> {
  const row = await db
    .prepare(LOOK)
    .bind(await hashToken(token))
    .first<MailedLink & { readonly account: string | null; readonly invitedBy: string | null }>();
  if (row === null) return null;
  const { email, invitationId, account, invitedBy } = row;
  if (invitationId === null) return { kind: 'sign_in', email };
  return account === null || invitedBy === null ? null : { kind: 'invitation', email, account, invitedBy };
}

/** Uses up a link: of two concurrent calls one gets it. */
export async function useLink(db: D1Database, token: string): Promise<MailedLink | null> {
  return db
    .prepare(USE)
    .bind(await hashToken(token))
    .first<MailedLink>();
}

/** Deletes expired links. */
export async function dropOldLinks(db: D1Database): Promise<void> {
  await db.prepare(DROP).run();
}
