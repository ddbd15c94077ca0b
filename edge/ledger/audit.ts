// A second look at the books: each turn compares the balances of some accounts with the sums of their ledger rows. The
// minute of the clock says whose turn it is, so nothing has to be remembered, and each round compares an account once.

const ACCOUNTS_PER_TURN = 500;
const TURN_MS = 60_000;

export type Mismatch = { readonly accountId: string; readonly balance: number; readonly sum: number };

const COMPARE = `
  SELECT accountId, balance, sum
    FROM (SELECT a.id AS accountId, a.balance,
                 coalesce((SELECT sum(l.delta) FROM ledger l WHERE l.account_id = a.id), 0) AS sum
            FROM accounts a WHERE a.elsewhere IS NULL ORDER BY a.id
           LIMIT ?2 OFFSET ?2 * (?1 % ((SELECT count(*) FROM accounts WHERE elsewhere IS NULL) / ?2 + 1)))
   WHERE balance <> sum`;

/**
 * One turn: compares the accounts whose turn it is.
 * @param nowMs milliseconds since 1970 UTC
 * @returns those whose balance differs from the sum of their rows
 */
export async function audit(db: D1Database, nowMs: number, accounts = ACCOUNTS_PER_TURN): Promise<readonly Mismatch[]> {
  const turn = Math.floor(nowMs / TURN_MS);
  return (await db.prepare(COMPARE).bind(turn, accounts).all<Mismatch>()).results;
}
