import { INVITATION_LIFE_MS } from '../../schema/join.ts';
import { NOW_MS } from '../ledger/clock.ts';
import { enrolling } from './enrol.ts';

// Invitations in D1: each can be used once, for 15 minutes by D1's clock. An expired one is kept for a while, so that a
// late machine is told so.

const KEPT_MS = 7 * 86_400_000;

export type Invited =
  | { readonly kind: 'invited'; readonly expiresAt: number }
  /** A host of this name is enrolled, and not removed. */
  | { readonly kind: 'enrolled' }
  /** This invitation was made for another host. */
  | { readonly kind: 'conflict' };

const INVITE = `
  INSERT INTO host_invitations (hash, host, expires_at)
  SELECT ?1, ?2, ${NOW_MS} + ${INVITATION_LIFE_MS}
   WHERE NOT EXISTS (SELECT 1 FROM hosts WHERE id = ?2 AND state <> 'removed')
  ON CONFLICT DO NOTHING`;
const INVITED = `SELECT host, expires_at AS expiresAt FROM host_invitations WHERE hash = ?1`;
const DROP_OLD = `DELETE FROM host_invitations WHERE expires_at < ${NOW_MS} - ${KEPT_MS}`;

const END_OTHERS = `DELETE FROM host_invitations WHERE host = ?1 AND public_key IS NULL AND expires_at > ${NOW_MS} AND hash <> ?2`;

/** Ends the open invitations of a host except the one with this hash. */
export async function endOthers(db: D1Database, host: string, hash: string): Promise<void> {
  await db.prepare(END_OTHERS).bind(host, hash).run();
}

/**
 * Records an invitation by its hash: the machine that presents it may become this host. Repeating it changes nothing.
 */
export async function invite(db: D1Database, host: string, hash: string): Promise<Invited> {
  const [, , rows] = await db.batch<{ host: string; expiresAt: number }>([
    db.prepare(DROP_OLD),
    db.prepare(INVITE).bind(hash, host),
    db.prepare(INVITED).bind(hash),
  ]);
  const row = rows?.results[0];
  if (row === undefined) return { kind: 'enrolled' };
  return row.host === host ? { kind: 'invited', expiresAt: row.expiresAt } : { kind: 'conflict' };
}

export type Redeemed =
  | { readonly kind: 'joined'; readonly host: string; readonly isNew: boolean }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'used' | 'late' | 'taken' | 'removed'; readonly host: string };

const TAKE = `
  UPDATE host_invitations SET public_key = ?2
   WHERE hash = ?1 AND public_key IS NULL AND expires_at > ${NOW_MS}`;
/** Only the machine that took the invitation. */
const ENROL = enrolling('host', 'FROM host_invitations WHERE hash = ?1 AND public_key = ?2');
const FIND = `
  SELECT i.host, i.public_key AS usedBy, h.public_key AS enrolledKey, h.state
    FROM host_invitations i LEFT JOIN hosts h ON h.id = i.host WHERE i.hash = ?1`;

type Row = {
  readonly host: string;
  readonly usedBy: string | null;
  readonly enrolledKey: string | null;
  readonly state: string | null;
};

/**
 * Makes the bearer of a proven key a host, in one transaction. Repeating it with the same key gives the same answer: a
 * lost answer costs nothing.
 * @param publicKey as `keyText` writes it
 */
export async function redeem(db: D1Database, hash: string, publicKey: string): Promise<Redeemed> {
  const [, enrolled, rows] = await db.batch<Row>([
    db.prepare(TAKE).bind(hash, publicKey),
    db.prepare(ENROL).bind(hash, publicKey),
    db.prepare(FIND).bind(hash),
  ]);
  const row = rows?.results[0];
  if (row === undefined) return { kind: 'unknown' };
  const { host, usedBy, enrolledKey, state } = row;
  if (usedBy === null) return { kind: 'late', host };
  if (usedBy !== publicKey) return { kind: 'used', host };
  if (enrolledKey !== publicKey) return { kind: 'taken', host };
  if (state === 'removed') return { kind: 'removed', host };
  return { kind: 'joined', host, isNew: (enrolled?.meta.changes ?? 0) > 0 };
}
