import type { CorrectedSide } from '../../schema/admin.ts';
import type { LedgerKind } from '../../schema/words/stored.ts';
import { booked, notBooked } from './booked.ts';
import { NOW_MS } from './clock.ts';
import { forgetShortage } from './funds.ts';
import { checkAmount } from './grant.ts';
import { persist } from './transient.ts';

// Corrections by operators: refunds, chargebacks, and books that do not agree. None moves the expiry or makes an account
// a buyer.

export type Correction = {
  readonly accountId: string;
  readonly correctionId: string;
  /** Up to `GRANT_MAX`; negative takes credits away. */
  readonly credits: number;
  /** Corrects one side alone, which is done only if both are equal afterwards. Default: both. */
  readonly only?: CorrectedSide | undefined;
};

export type Corrected =
  | { readonly kind: 'corrected' | 'repeated'; readonly balance: number }
  /** The id belongs to a correction of another amount, or to a purchase. */
  | { readonly kind: 'conflict'; readonly credits: number }
  | { readonly kind: 'too_few_credits'; readonly balance: number }
  /** What would make that side equal to the other. */
  | { readonly kind: 'another_difference'; readonly credits: number }
  | { readonly kind: 'unknown_account' };

const SUM = `(SELECT coalesce(sum(l.delta), 0) FROM ledger l WHERE l.account_id = ?1)`;

/** SQL: the ledger's row. */
const write = (condition: string): string => `
  INSERT INTO ledger (account_id, ref_id, kind, delta, at)
  SELECT id, ?2, 'correction', ?3, ${NOW_MS} FROM accounts
   WHERE id = ?1 AND ${condition} AND ${notBooked('?1', '?2')} RETURNING delta`;
/** SQL: the balance. */
const move = (condition: string): string => `
  UPDATE accounts SET balance = balance + ?3
   WHERE id = ?1 AND balance + ?3 >= 0 AND ${condition} RETURNING ?2`;

/** Only the row just written moves the balance: `changes()` is what the statement before did. */
const BOTH = [write('balance + ?3 >= 0'), move('changes() = 1')];
const ONE: Readonly<Record<CorrectedSide, readonly string[]>> = {
  ledger: [write(`balance - ${SUM} = ?3`)],
  balance: [move(`${SUM} - balance = ?3`)],
};

const READ = `
  SELECT a.balance, b.delta AS credits, b.kind, iif(?3, ${SUM} - a.balance, 0) AS difference
    FROM accounts a LEFT JOIN ledger b ON ${booked('?1', '?2')}
   WHERE a.id = ?1`;

type Row = {
  readonly balance: number;
  /** Of what is booked under the id; null if nothing is. */
  readonly credits: number | null;
  readonly kind: LedgerKind | null;
  readonly difference: number;
};

/**
 * Adds credits or takes them away: all or none, never below 0.
 * @throws RangeError for credits of 0, or beyond `GRANT_MAX`
 */
export async function correct(db: D1Database, correction: Correction): Promise<Corrected> {
  const { accountId, correctionId, credits, only } = correction;
  checkAmount(Math.abs(credits));
  const changes = only === undefined ? BOTH : ONE[only];
  const results = await persist(2, () =>
    db.batch<Row>([
      ...changes.map((text) => db.prepare(text).bind(accountId, correctionId, credits)),
      db.prepare(READ).bind(accountId, correctionId, only === undefined ? 0 : 1),
    ]),
  );
  forgetShortage(db, accountId);
  const row = results.at(-1)?.results[0];
  if (row === undefined) return { kind: 'unknown_account' };
  const { balance, difference } = row;
  if (results[0]?.results.length === 1) return { kind: 'corrected', balance };
  if (row.credits !== null && (row.credits !== credits || row.kind !== 'correction'))
    return { kind: 'conflict', credits: row.credits };
  if (row.credits !== null || (only !== undefined && difference === 0)) return { kind: 'repeated', balance };
  const needed = only === 'ledger' ? 0 - difference : difference;
  if (only !== undefined && needed !== credits) return { kind: 'another_difference', credits: needed };
  return { kind: 'too_few_credits', balance };
}
