import { GRANT_MAX } from '../../schema/admin.ts';
import type { LedgerKind } from '../../schema/words/stored.ts';
import { booked, notBooked } from './booked.ts';
import { NOW_MS } from './clock.ts';
import { expiryOf } from './expiry.ts';
import { forgetShortage } from './funds.ts';
import { persist } from './transient.ts';

// What operators do to a balance. Each change carries an id and is a no-op when repeated under it.

export type Purchase = {
  readonly accountId: string;
  readonly purchaseId: string;
  /** 1 to `GRANT_MAX`. */
  readonly credits: number;
  /** Milliseconds since 1970 UTC: decides when these credits will expire. */
  readonly nowMs: number;
  /** When it was ordered: what had expired by then is written off. Default: now. */
  readonly orderedMs?: number;
};

export type Granted =
  | {
      readonly kind: 'granted' | 'repeated';
      /** As it is now: credits of a repeated purchase may have been spent since. */
      readonly balance: number;
      readonly expiresAt: number;
      /** Credits that had expired and were written off by this purchase. */
      readonly writtenOff: number;
    }
  /** The id belongs to a purchase of another amount, or to a correction. */
  | { readonly kind: 'conflict'; readonly credits: number }
  | { readonly kind: 'unknown_account' };

const WRITE_OFF = `
  INSERT INTO ledger (account_id, ref_id, kind, delta, at)
  SELECT a.id, ?2, 'expiry', -a.balance, ${NOW_MS} FROM accounts a
   WHERE a.id = ?1 AND a.expires_at <= ?3 AND a.balance > 0 AND ${notBooked('?1', '?2')}`;

/** The net change: the credits of the purchase minus what it wrote off. */
const CHANGE = `(?3 + coalesce(
  (SELECT l.delta FROM ledger l WHERE l.account_id = ?1 AND l.ref_id = ?2 AND l.kind = 'expiry'), 0))`;
const ADD = `
  UPDATE accounts
     SET expires_at = max(expires_at, ?4), has_bought = 1, last_pack = ?3, balance = balance + ${CHANGE}
   WHERE id = ?1 AND ${notBooked('?1', '?2')}`;

const WRITE = `
  INSERT INTO ledger (account_id, ref_id, kind, delta, at)
  SELECT id, ?2, 'purchase', ?3, ${NOW_MS} FROM accounts WHERE id = ?1 AND ${notBooked('?1', '?2')} RETURNING delta`;

const READ = `
  SELECT a.balance, a.expires_at AS expiresAt, b.delta AS credits, b.kind, coalesce(-w.delta, 0) AS writtenOff
    FROM accounts a
    JOIN ledger b ON ${booked('?1', '?2')}
    LEFT JOIN ledger w ON w.account_id = a.id AND w.ref_id = ?2 AND w.kind = 'expiry'
   WHERE a.id = ?1`;

type Row = {
  readonly balance: number;
  readonly expiresAt: number;
  readonly credits: number;
  readonly kind: LedgerKind;
  readonly writtenOff: number;
};

/**
 * Books a purchase: writes off what has expired, adds the credits and moves the expiry, in one transaction.
 * @param beside what else belongs in that transaction, after the ledger's row; safe to repeat
 * @throws RangeError for credits outside 1 to `GRANT_MAX`
 */
export async function grant(
  db: D1Database,
  purchase: Purchase,
  beside: readonly D1PreparedStatement[] = [],
): Promise<Granted> {
  const { accountId, purchaseId, credits, nowMs, orderedMs = nowMs } = purchase;
  checkAmount(credits);
  const results = await persist(2, () =>
    db.batch<Row>([
      db.prepare(WRITE_OFF).bind(accountId, purchaseId, orderedMs),
      db.prepare(ADD).bind(accountId, purchaseId, credits, expiryOf(nowMs)),
      db.prepare(WRITE).bind(accountId, purchaseId, credits),
      db.prepare(READ).bind(accountId, purchaseId),
      ...beside,
    ]),
  );
  forgetShortage(db, accountId);
  const row = results[3]?.results[0];
  if (row === undefined) return { kind: 'unknown_account' };
  if (row.credits !== credits || row.kind !== 'purchase') return { kind: 'conflict', credits: row.credits };
  const kind = results[2]?.results.length === 1 ? 'granted' : 'repeated';
  return { kind, balance: row.balance, expiresAt: row.expiresAt, writtenOff: row.writtenOff };
}

export function checkAmount(credits: number): void {
  if (!Number.isInteger(credits) || credits < 1 || credits > GRANT_MAX)
    throw new RangeError(`credits must be 1 to ${GRANT_MAX}`);
}
