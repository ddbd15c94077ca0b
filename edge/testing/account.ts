import type { LEDGER_KINDS } from '../../schema/tables.ts';
import type { LocalEdge } from '../../scripts/local/miniflare.ts';
import { NOW_MS } from '../ledger/clock.ts';

type Database = Awaited<ReturnType<LocalEdge['mf']['getD1Database']>>;

// What the ledger's tests read of an account; nothing here writes.

export type Balance = {
  /** What may be spent: 0 once the balance has expired. */
  readonly credits: number;
  /** The sum of the account's ledger rows, expired or not. */
  readonly balance: number;
  /** Milliseconds since 1970 UTC; 0 before the first purchase. */
  readonly expiresAt: number;
  /** Credits of batches under way. */
  readonly held: number;
};

export type LedgerRow = {
  readonly refId: string;
  readonly kind: (typeof LEDGER_KINDS)[number];
  readonly delta: number;
  readonly at: number;
};

export type RefundDay = { readonly day: number; readonly batches: number };

const BALANCE = `
  SELECT iif(a.expires_at > ${NOW_MS}, a.balance, 0) AS credits, a.balance, a.expires_at AS expiresAt,
         (SELECT coalesce(sum(h.credits), 0) FROM holds h WHERE h.closed_by IS NULL AND h.account_id = a.id) AS held
    FROM accounts a WHERE a.id = ?1`;

const LEDGER = `
  SELECT ref_id AS refId, kind, delta, at FROM ledger
   WHERE account_id = ?1 ORDER BY at DESC, ref_id DESC, kind DESC LIMIT ?2`;

const REFUND_DAYS = `
  SELECT day, batches FROM refund_days WHERE account_id = ?1 ORDER BY day DESC LIMIT ?2`;

/** An account's money as it is now; null for an account that is not there. */
export async function readBalance(db: Database, accountId: string): Promise<Balance | null> {
  return db.prepare(BALANCE).bind(accountId).first<Balance>();
}

/** Statement of an account: its latest ledger rows, newest first, as many as `rows`. */
export async function readLedger(db: Database, accountId: string, rows: number): Promise<readonly LedgerRow[]> {
  const found = await db.prepare(LEDGER).bind(accountId, rows).all<LedgerRow>();
  return found.results;
}

/** On how many batches an account got everything back, by day (since 1970 UTC), newest first, as many as `days`. */
export async function readRefundDays(db: Database, accountId: string, days: number): Promise<readonly RefundDay[]> {
  const found = await db.prepare(REFUND_DAYS).bind(accountId, days).all<RefundDay>();
  return found.results;
}
