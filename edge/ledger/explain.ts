import type { StatementBatch } from '../../schema/pages-api.ts';

// What explains a batch's ledger rows: its hold, which is kept as long as the rows are.

export type BatchFacts = Omit<StatementBatch, 'state'> & {
  readonly id: string;
  readonly closedBy: 'settle' | 'sweep' | null;
};

const BATCHES = `
  SELECT id, addresses, credits AS held, returned, closed_by AS closedBy, list FROM holds
   WHERE account_id = ?1 AND id IN (SELECT value FROM json_each(?2))`;

/**
 * The batches of an account among these ids of its ledger rows.
 * @returns by id; ids that are no batch, or belong to a closed day, are left out
 */
export async function readBatches(
  db: D1Database,
  accountId: string,
  refIds: readonly string[],
): Promise<ReadonlyMap<string, BatchFacts>> {
  const found = await db.prepare(BATCHES).bind(accountId, JSON.stringify(refIds)).all<BatchFacts>();
  return new Map(found.results.map((batch) => [batch.id, batch]));
}
