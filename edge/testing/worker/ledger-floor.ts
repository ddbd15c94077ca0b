// What a hold and its settlement write, and nothing that makes it right: no key is proven, nothing is compared, a repeat
// would be charged again. As many batches, statements and rows as the ledger's own.

const HOLD = `
  INSERT INTO holds (id, account_id, credits, addresses, opened_at, expires_at) VALUES (?1, ?2, 1, 1, 0, 0)`;
const TAKE = 'UPDATE accounts SET balance = balance - 1 WHERE id = ?1';
const WRITE = "INSERT INTO ledger (account_id, ref_id, kind, delta, at) VALUES (?2, ?1, 'hold', -1, 0)";
const COUNT = `
  INSERT INTO usage_days (account_id, day, key_id, batches, valid, risky, invalid, unknown, charged, returned)
  VALUES (?1, 0, 'key', 1, 1, 0, 0, 0, 1, 0)
      ON CONFLICT DO UPDATE SET batches = batches + 1, valid = valid + 1, charged = charged + 1`;
const CLOSE = "UPDATE holds SET closed_by = 'settle', closed_at = 0, returned = 0 WHERE id = ?1";

export async function holdFloor(db: D1Database, batchId: string, accountId: string): Promise<void> {
  await db.batch([
    db.prepare(HOLD).bind(batchId, accountId),
    db.prepare(TAKE).bind(accountId),
    db.prepare(WRITE).bind(batchId, accountId),
  ]);
}

export async function settleFloor(db: D1Database, batchId: string, accountId: string): Promise<void> {
  await db.batch([db.prepare(COUNT).bind(accountId), db.prepare(CLOSE).bind(batchId)]);
}
