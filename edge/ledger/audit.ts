// A second look at the books: the balance beside the sum of the rows that it must be.

/** Accounts per call; a larger deployment is gone through in turns. */
const ACCOUNTS_PER_TURN = 200;

export type Mismatch = { readonly accountId: string; readonly balance: number; readonly sum: number };

const COMPARE = `
  WITH turn AS (
    SELECT id, balance FROM accounts ORDER BY id LIMIT ${ACCOUNTS_PER_TURN}
    OFFSET (?1 * ${ACCOUNTS_PER_TURN}) % max(1, (SELECT count(*) FROM accounts)))
  SELECT t.id AS accountId, t.balance, coalesce(sum(l.delta), 0) AS sum
    FROM turn t LEFT JOIN ledger l ON l.account_id = t.id
   GROUP BY t.id, t.balance HAVING t.balance <> coalesce(sum(l.delta), 0)`;

/**
 * Compares balances with ledger sums, in one statement and so at one instant.
 * @param turn which share of the accounts to look at: count up by one each time
 */
export async function findMismatches(db: D1Database, turn: number): Promise<readonly Mismatch[]> {
  const found = await db.prepare(COMPARE).bind(turn).all<Mismatch>();
  return found.results;
}
