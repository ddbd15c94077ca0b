import type { LEDGER_KINDS } from '../../schema/tables.ts';

// The rows of an account's ledger, page by page. Nothing here writes.

export type StatementRow = {
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  readonly kind: (typeof LEDGER_KINDS)[number];
  readonly ref: string;
  readonly delta: number;
  /** What the rows up to and with this one add up to. */
  readonly balance: number;
};
/** A place between two rows: they are in the order of these three. */
export type Place = Pick<StatementRow, 'at' | 'ref' | 'kind'>;

/** Within one moment 'expiry' comes before 'purchase' and 'hold' before 'return', as they were booked. */
const PAGE = `
  SELECT * FROM (
    SELECT at, kind, ref_id AS ref, delta, sum(delta) OVER (ORDER BY at, ref_id, kind) AS balance
      FROM ledger WHERE account_id = ?1)
   WHERE (at, ref, kind) < (?2, ?3, ?4) OR ?2 IS NULL
   ORDER BY at DESC, ref DESC, kind DESC LIMIT ?5`;
const ACCOUNT = 'SELECT 1 FROM accounts WHERE id = ?1';

/**
 * One page of a statement, newest first.
 * @param before the oldest row of the page before; null for the newest page
 * @returns null for an account that is not there
 */
export async function readStatement(
  db: D1Database,
  accountId: string,
  before: Place | null,
  rowsMax: number,
): Promise<readonly StatementRow[] | null> {
  const [account, page] = await db.batch<StatementRow>([
    db.prepare(ACCOUNT).bind(accountId),
    db.prepare(PAGE).bind(accountId, before?.at ?? null, before?.ref ?? null, before?.kind ?? null, rowsMax),
  ]);
  return account?.results.length === 1 ? (page?.results ?? []) : null;
}
