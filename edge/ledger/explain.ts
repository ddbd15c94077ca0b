// What a batch's ledger rows are explained by: its hold, which stands as long as its rows do.

export type BatchFacts = {
  readonly id: string;
  readonly addresses: number;
  readonly held: number;
  /** Null while the batch is under way. */
  readonly returned: number | null;
  readonly closedBy: 'settle' | 'sweep' | null;
  /** The same in all batches of one list; null: of none. */
  readonly list: string | null;
};

const BATCHES = `
  SELECT id, addresses, credits AS held, returned, closed_by AS closedBy, list FROM holds
   WHERE account_id = ?1 AND id IN (SELECT value FROM json_each(?2))`;

/**
 * The batches of an account among these ids of its ledger's rows.
 * @returns by id; what is not a batch, or belongs to a day that was closed, is not among them
 */
export async function readBatches(
  db: D1Database,
  accountId: string,
  refIds: readonly string[],
): Promise<ReadonlyMap<string, BatchFacts>> {
  const found = await db.prepare(BATCHES).bind(accountId, JSON.stringify(refIds)).all<BatchFacts>();
  return new Map(found.results.map((batch) => [batch.id, batch]));
}
