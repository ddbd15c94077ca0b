import { EVERYTHING } from './checkpoint.ts';

// A second look at the books. The ledger's rows are read in the order of its key, account after account, round and
// round: a bounded number a turn, so that it costs the same however long the ledger is. What has been read stands in
// the accounts' checkpoints, and an account that was read to its end must have a balance equal to it.
//
// A balance that moves without its row is seen by the next turn. A row that is missing or was changed is seen when the
// round next comes by: within two rounds at the latest, of one turn for each 100,000 rows and one more.

export type AuditBounds = {
  /** Rows read in one statement: at least 6, more than may share a ref_id. */
  readonly rowsPerChunk: number;
  readonly chunks: number;
};
const BOUNDS: AuditBounds = { rowsPerChunk: 10_000, chunks: 10 };

export type Mismatch = { readonly accountId: string; readonly balance: number; readonly sum: number };

/** A place in the ledger: before all rows of this account with this ref_id or a later one. */
type Place = { readonly accountId: string; readonly refId: string };

const POSITION = `
  SELECT p.account_id AS accountId, coalesce(a.proven_to, '') AS refId
    FROM audit_position p LEFT JOIN accounts a ON a.id = p.account_id`;

/** Rows of one ref_id are never divided: they come in with the first of them. */
const BORDER = `
  SELECT account_id AS accountId, ref_id AS refId FROM ledger
   WHERE (account_id, ref_id) >= (?1, ?2) ORDER BY account_id, ref_id, kind LIMIT 1 OFFSET ?3`;

/** From one place to another. Nothing happens if somebody else has moved on from the first. */
const ADVANCE = `
  UPDATE accounts
     SET proven = iif(id = ?1, proven, 0) + coalesce((
           SELECT sum(l.delta) FROM ledger l
            WHERE l.account_id = accounts.id AND l.ref_id >= iif(accounts.id = ?1, ?2, '')
              AND l.ref_id < iif(accounts.id = ?3, ?4, '${EVERYTHING}')), 0),
         proven_to = iif(id = ?3, ?4, '${EVERYTHING}')
   WHERE id >= ?1 AND id <= ?3 AND coalesce((SELECT a.proven_to FROM accounts a WHERE a.id = ?1), '') = ?2`;

const MOVE = 'UPDATE audit_position SET account_id = ?2 WHERE account_id = ?1';

const MISMATCHES = `
  SELECT id AS accountId, balance, proven AS sum FROM accounts
   WHERE proven_to = '${EVERYTHING}' AND proven <> balance AND elsewhere IS NULL ORDER BY id LIMIT 100`;

const START: Place = { accountId: '', refId: '' };
const END: Place = { accountId: EVERYTHING, refId: EVERYTHING };

/**
 * One turn: reads on where the last one stopped, to the end of the ledger at most. May be interrupted anywhere, and run
 * beside another one.
 * @returns the accounts, 100 at most, whose balance is not what their rows add up to
 */
export async function audit(db: D1Database, bounds: AuditBounds = BOUNDS): Promise<readonly Mismatch[]> {
  let from = (await db.prepare(POSITION).first<Place>()) ?? START;
  for (let chunk = 0; chunk < bounds.chunks && from !== END; chunk += 1) from = await proveChunk(db, from, bounds);
  const found = await db.prepare(MISMATCHES).all<Mismatch>();
  return found.results;
}

async function proveChunk(db: D1Database, from: Place, { rowsPerChunk }: AuditBounds): Promise<Place> {
  const border = await db.prepare(BORDER).bind(from.accountId, from.refId, rowsPerChunk).first<Place>();
  const to = border ?? END;
  await db.batch([
    db.prepare(ADVANCE).bind(from.accountId, from.refId, to.accountId, to.refId),
    db.prepare(MOVE).bind(from.accountId, border?.accountId ?? START.accountId),
  ]);
  return to;
}
