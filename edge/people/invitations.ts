import type { InvitationEntry } from '../../schema/pages-api.ts';
import type { Role } from '../../schema/words/stored.ts';
import type { AsStored } from '../base/time-text.ts';
import { NOW_MS } from '../ledger/clock.ts';
import { countInvitation, type Sent } from './mail-limits.ts';
import { hashToken, newId, newToken } from './token.ts';

export type Invitation = AsStored<InvitationEntry, 'createdAt' | 'expiresAt'>;

export type Invited =
  | { readonly kind: 'invited'; readonly invitation: Invitation; readonly token: string }
  | { readonly kind: 'already_in' }
  /** The sender of the invitation is no longer an owner. */
  | { readonly kind: 'not_owner' }
  /** To that address, or open in this account. */
  | { readonly kind: 'too_many' };

const INVITATION_MS = 7 * 86_400_000;
const OPEN_MAX = 100;

const IS_IN = `
  SELECT 1 AS found FROM memberships m JOIN people p ON p.id = m.person_id WHERE m.account_id = ?1 AND p.email = ?2`;

const IS_OWNER = `SELECT 1 AS found FROM memberships WHERE account_id = ?1 AND person_id = ?2 AND role = 'owner'`;

const FIELDS = `
  i.id, i.email, i.role, p.email AS invitedBy, i.created_at AS createdAt, i.expires_at AS expiresAt`;

const COUNT = countInvitation(
  { account: '?1', mailbox: '?4', share: '?5', total: '?6', day: '?7' },
  `NOT EXISTS (${IS_IN})
     AND EXISTS (SELECT 1 FROM memberships WHERE account_id = ?1 AND person_id = ?3 AND role = 'owner')
     AND (SELECT count(*) FROM invitations WHERE account_id = ?1 AND email <> ?2) < ${OPEN_MAX}`,
);

/** A repeated invitation gets a new id and a new link; the earlier ones stop working. */
const MAKE = `
  INSERT INTO invitations (id, hash, account_id, email, role, invited_by, created_at, expires_at)
  SELECT ?3, ?6, ?1, ?2, ?4, ?5, ${NOW_MS}, ${NOW_MS} + ${INVITATION_MS}
   WHERE changes() = 1
      ON CONFLICT (account_id, email) DO UPDATE
         SET id = excluded.id, hash = excluded.hash, role = excluded.role, invited_by = excluded.invited_by,
             created_at = excluded.created_at, expires_at = excluded.expires_at`;

const READ = `SELECT ${FIELDS} FROM invitations i JOIN people p ON p.id = i.invited_by WHERE i.id = ?1`;

const LIST = `
  SELECT ${FIELDS} FROM invitations i JOIN people p ON p.id = i.invited_by
   WHERE i.account_id = ?1 AND i.expires_at > ${NOW_MS} ORDER BY i.created_at DESC, i.id`;

const WITHDRAW = 'DELETE FROM invitations WHERE account_id = ?1 AND id = ?2 RETURNING id';
export const DROP_OLD_INVITATIONS = `DELETE FROM invitations WHERE expires_at < ${NOW_MS}`;

/**
 * Invites the owner of this mailbox; under a new id if they were invited before. An invitation ends when its sender
 * stops being an owner.
 */
export async function invite(
  db: D1Database,
  invitation: {
    readonly accountId: string;
    readonly email: string;
    readonly role: Role;
    readonly invitedBy: string;
  },
  { mailbox, share, total, day }: Sent,
): Promise<Invited> {
  const { accountId, email, role, invitedBy } = invitation;
  const [id, token] = [newId('inv'), newToken()];
  const results = await db.batch<Invitation>([
    db.prepare(IS_IN).bind(accountId, email),
    db.prepare(IS_OWNER).bind(accountId, invitedBy),
    db.prepare(COUNT).bind(accountId, email, invitedBy, mailbox, share, total, day),
    db.prepare(MAKE).bind(accountId, email, id, role, invitedBy, await hashToken(token)),
    db.prepare(READ).bind(id),
  ]);
  if (results[0]?.results.length === 1) return { kind: 'already_in' };
  if (results[1]?.results.length !== 1) return { kind: 'not_owner' };
  const [made] = results.at(-1)?.results ?? [];
  return made === undefined ? { kind: 'too_many' } : { kind: 'invited', invitation: made, token };
}

/** The invitations of an account that can still be accepted, newest first. */
export async function listInvitations(db: D1Database, accountId: string): Promise<readonly Invitation[]> {
  return (await db.prepare(LIST).bind(accountId).all<Invitation>()).results;
}

/** @returns false if the account has none with this id */
export async function withdrawInvitation(db: D1Database, accountId: string, id: string): Promise<boolean> {
  return (await db.prepare(WITHDRAW).bind(accountId, id).first()) !== null;
}
