const MOVED = `
  SELECT id, elsewhere FROM accounts
   WHERE id IN (SELECT value FROM json_each(?1)) AND elsewhere IS NOT NULL`;

/** Which of these accounts this database no longer has, each with the number of the database that does. */
export async function readMoved(db: D1Database, accountIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (accountIds.length === 0) return new Map();
  const found = await db
    .prepare(MOVED)
    .bind(JSON.stringify([...new Set(accountIds)]))
    .all<{ readonly id: string; readonly elsewhere: number }>();
  return new Map(found.results.map(({ id, elsewhere }) => [id, elsewhere]));
}
