import type { LinkPreview } from '../../schema/pages-api.ts';
import { NOW_MS } from '../ledger/clock.ts';
import { countLink, type Sent } from './mail-limits.ts';
import { hashToken, newToken } from './token.ts';

// Mailed links. Using one proves that a person reads that mailbox; nothing else about them matters: not the browser,
// not the network, not who is signed in there. People forward invitations: so the link of one proves nothing, and whoever
// opens it has a link that signs in mailed to the invited address.

const SIGN_IN_MS = 15 * 60_000;
/** The most unused links for one address, or one invitation: one more would not help its owner. */
const WAITING_MAX = 3;

/** Follows the statement that counts its mail. */
const MAKE = `
  INSERT INTO mailed_links (hash, email, invitation_id, created_at, expires_at)
  SELECT ?1, ?2, ?3, ${NOW_MS}, ${NOW_MS} + ${SIGN_IN_MS} WHERE changes() = 1
  RETURNING hash`;

/** SQL: the link `l` whose hash is ?1, with the invitation `i` that it accepts, if both are still good. */
export const OPEN_LINK = `mailed_links l
  LEFT JOIN invitations i ON i.id = l.invitation_id AND i.email = l.email AND i.expires_at > ${NOW_MS}
 WHERE l.hash = ?1 AND l.expires_at > ${NOW_MS} AND (l.invitation_id IS NULL OR i.id IS NOT NULL)`;

const LOOK = `
  SELECT l.email, (SELECT name FROM accounts WHERE id = i.account_id) AS account,
         EXISTS (SELECT 1 FROM people p WHERE p.email = l.email) AS isKnown FROM ${OPEN_LINK}`;
const LOOK_AT_INVITATION = `
  SELECT i.id, i.email, a.name AS account, p.email AS invitedBy FROM invitations i
    JOIN accounts a ON a.id = i.account_id JOIN people p ON p.id = i.invited_by
   WHERE i.hash = ?1 AND i.expires_at > ${NOW_MS}`;

export const DROP_OLD_LINKS = `DELETE FROM mailed_links WHERE expires_at < ${NOW_MS}`;

/** What a token is for. An invitation gives no access: it may have been forwarded. */
export type Link =
  | {
      readonly kind: 'sign_in';
      readonly email: string;
      readonly account: string | null;
      /** 1: somebody with this address has been here. */
      readonly isKnown: number;
    }
  | (Extract<LinkPreview, { kind: 'invitation' }> & { readonly id: string });

/**
 * Creates a link that signs in the owner of this mailbox.
 * @param invitationId of the invitation that it also accepts
 * @returns its token; null if enough unused ones are there, or no mail may be sent for it now
 */
export async function makeSignInLink(
  db: D1Database,
  email: string,
  sent: Sent,
  invitationId: string | null = null,
): Promise<string | null> {
  const token = newToken();
  const results = await db.batch([
    countLink(db, email, sent, WAITING_MAX, invitationId),
    db.prepare(MAKE).bind(await hashToken(token), email, invitationId),
  ]);
  return results[1]?.results.length === 1 ? token : null;
}

/** What a link is for, without using it; null if it is invalid or has expired. */
export async function lookAtLink(db: D1Database, token: string): Promise<Link | null> {
  const hash = await hashToken(token);
  const found = await db.prepare(LOOK).bind(hash).first<Omit<Extract<Link, { kind: 'sign_in' }>, 'kind'>>();
  if (found !== null) return { kind: 'sign_in', ...found };
  const invitation = await db
    .prepare(LOOK_AT_INVITATION)
    .bind(hash)
    .first<Omit<Extract<Link, { kind: 'invitation' }>, 'kind'>>();
  return invitation === null ? null : { kind: 'invitation', ...invitation };
}
