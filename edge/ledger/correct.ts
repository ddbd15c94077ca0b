import { BOOKED, NOT_BOOKED } from './booked.ts';
import { NOW_MS } from './clock.ts';
import { checkAmount } from './grant.ts';
import { persist } from './transient.ts';

export type Correction = {
  readonly accountId: string;
  readonly correctionId: string;
  /** How many credits are taken away: 1 to `GRANT_MAX`. */
  readonly credits: number;
};

export type Corrected =
  | { readonly kind: 'corrected' | 'repeated'; readonly balance: number }
  /** The id belongs to a correction of another amount, or to a purchase: then negative. */
  | { readonly kind: 'conflict'; readonly credits: number }
  | { readonly kind: 'too_few_credits'; readonly balance: number }
  | { readonly kind: 'unknown_account' };

const WRITE = `
  INSERT INTO ledger (account_id, ref_id, kind, delta, at)
  SELECT id, ?2, 'correction', -?3, ${NOW_MS} FROM accounts WHERE id = ?1 AND elsewhere IS NULL AND balance >= ?3 AND ${NOT_BOOKED}
  RETURNING delta`;

/** Only the row just written moves the balance: `changes()` is what the statement before this one did. */
const TAKE = `
  UPDATE accounts SET balance = balance - ?3
   WHERE id = ?1 AND changes() = 1`;

const READ = `
  SELECT a.balance, -b.delta AS credits
    FROM accounts a LEFT JOIN ledger b ON ${BOOKED}
   WHERE a.id = ?1 AND a.elsewhere IS NULL`;

type Row = { readonly balance: number; readonly credits: number | null };

/**
 * Takes credits away, for a mistaken purchase or a chargeback: all or none, never below 0.
 * @throws RangeError for credits outside 1 to `GRANT_MAX`
 */
export async function correct(db: D1Database, correction: Correction): Promise<Corrected> {
  const { accountId, correctionId, credits } = correction;
  checkAmount(credits);
  const results = await persist(2, () =>
    db.batch<Row>([
      db.prepare(WRITE).bind(accountId, correctionId, credits),
      db.prepare(TAKE).bind(accountId, correctionId, credits),
      db.prepare(READ).bind(accountId, correctionId),
    ]),
  );
  const row = results[2]?.results[0];
  if (row === undefined) return { kind: 'unknown_account' };
  if (row.credits === null) return { kind: 'too_few_credits', balance: row.balance };
  if (row.credits !== credits) return { kind: 'conflict', credits: row.credits };
  return { kind: results[0]?.results.length === 1 ? 'corrected' : 'repeated', balance: row.balance };
}
