import { NOW_MS, TODAY } from './clock.ts';

// What follows when holds were closed, by settlement or sweep alike: the returned credits go to the balance, the ledger
// gets its row, and a batch refunded in full is counted. All of it depends on the ledger row not being there yet, so it
// happens once, no matter what closed the hold and how often this runs.

const CLOSED = `holds h WHERE h.id IN (SELECT value FROM json_each(?1)) AND h.returned > 0`;
const NOT_YET_GIVEN = `NOT EXISTS (
  SELECT 1 FROM ledger l WHERE l.account_id = h.account_id AND l.ref_id = h.id AND l.kind = 'return')`;

const COUNT_REFUNDED = `
  INSERT INTO refund_days (account_id, day, batches)
  SELECT h.account_id, ${TODAY}, count(*) FROM ${CLOSED} AND h.returned = h.credits AND ${NOT_YET_GIVEN}
   GROUP BY h.account_id
      ON CONFLICT (account_id, day) DO UPDATE SET batches = batches + excluded.batches`;

const GIVE = `
  UPDATE accounts SET balance = balance + r.credits
    FROM (SELECT h.account_id, sum(h.returned) AS credits FROM ${CLOSED} AND ${NOT_YET_GIVEN} GROUP BY h.account_id) r
   WHERE accounts.id = r.account_id`;

const WRITE = `
  INSERT INTO ledger (account_id, ref_id, kind, delta, at)
  SELECT h.account_id, h.id, 'return', h.returned, ${NOW_MS} FROM ${CLOSED}
      ON CONFLICT (account_id, ref_id, kind) DO NOTHING`;

/** The statements that give back what the closed holds among `batchIds` returned. They follow the closing statement. */
export function giveBack(db: D1Database, batchIds: readonly string[]): D1PreparedStatement[] {
  const list = JSON.stringify(batchIds);
  return [COUNT_REFUNDED, GIVE, WRITE].map((text) => db.prepare(text).bind(list));
}
