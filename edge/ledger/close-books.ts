import { NOW_MS } from './clock.ts';

// This keeps the database from growing with every request. A closed hold and the ledger rows of its batch stay for 7
// days; then the hold is deleted and its rows are merged into one row per account, kind and day. A past month is thus
// closed within 8 days, with its sum unchanged and its statement complete by day. Purchases, corrections and what they
// wrote off stay for ever: their rows make repeats harmless.
//
// Holds decide: a batch's rows are added up and deleted in the transaction that deletes its hold. So an open hold,
// however old, keeps its rows; a row stays as long as a settlement or a repeated hold could ask for it; and a chunk
// that is interrupted has no effect, and a repeated one finds nothing left.

const KEPT_MS = 7 * 86_400_000;

export type ClosingBounds = { readonly holdsPerChunk: number; readonly chunks: number };
const BOUNDS: ClosingBounds = { holdsPerChunk: 1_000, chunks: 25 };

/** Batch ids after one and up to another, and the time before which their holds must have been closed. */
export type Chunk = { readonly after: string; readonly through: string; readonly beforeMs: number };

/** `through` is null after the last hold. */
type Found = {
  readonly through: string | null;
  readonly due: number;
  /** When the first of them was opened. */
  readonly openedMs: number;
  readonly beforeMs: number;
};

/** Batch ids begin with the time, so the oldest holds come first; those not due yet are skipped. */
const FIND = `
  SELECT max(id) AS through, coalesce(sum(due), 0) AS due, min(opened_at) AS openedMs, ${NOW_MS} - ${KEPT_MS} AS beforeMs
    FROM (SELECT id, opened_at, coalesce(closed_at < ${NOW_MS} - ${KEPT_MS}, 0) AS due
            FROM holds h WHERE id > ?1 ORDER BY id LIMIT ?2)`;

const DUE = `h.id > ?1 AND h.id <= ?2 AND h.closed_at < ?3`;
/** The ledger rows of those holds. CROSS: SQLite must walk them in this order. */
const ITS_ROWS = `ledger l ON l.account_id = h.account_id AND l.ref_id = h.id AND l.kind IN ('hold', 'return')`;
const ROWS = `holds h CROSS JOIN ${ITS_ROWS} WHERE ${DUE}`;
const DAY = `date(l.at / 1000, 'unixepoch')`;
/** Returns at the start of the day, holds at its end: so no balance on a statement is lower than it ever was. */
const NEW_AT = `l.at / 86400000 * 86400000 + iif(l.kind = 'hold', 86399999, 0)`;

/** Corrects the sums that the audit remembers by what moves over their end: at most to the end of the day of ?3. */
const MOVE = `
  UPDATE checked_books SET sum = sum + moved.credits
    FROM (SELECT l.account_id, sum(l.delta * ((${NEW_AT} < c.through) - (l.at < c.through))) AS credits
            FROM holds h CROSS JOIN checked_books c ON c.account_id = h.account_id AND c.through < ?3 + 86400000
                 CROSS JOIN ${ITS_ROWS} WHERE ${DUE} GROUP BY l.account_id) moved
   WHERE checked_books.account_id = moved.account_id AND moved.credits <> 0`;

const ADD_UP = `
  INSERT INTO ledger (account_id, ref_id, kind, delta, at)
  SELECT l.account_id, ${DAY}, l.kind, sum(l.delta), ${NEW_AT}
    FROM ${ROWS}
   GROUP BY l.account_id, l.at / 86400000, l.kind
      ON CONFLICT (account_id, ref_id, kind) DO UPDATE SET delta = delta + excluded.delta`;

const TAKE_ROWS_AWAY = `
  DELETE FROM ledger
   WHERE (account_id, ref_id, kind) IN (SELECT l.account_id, l.ref_id, l.kind FROM ${ROWS})`;

const TAKE_HOLDS_AWAY = `DELETE FROM holds AS h WHERE ${DUE} RETURNING id`;

/**
 * One turn: closes due holds, oldest first, up to the bounds of a turn.
 * @returns how many holds were due and are deleted
 */
export async function closeBooks(db: D1Database, { holdsPerChunk, chunks }: ClosingBounds = BOUNDS): Promise<number> {
  let gone = 0;
  let after = '';
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    const found = await db.prepare(FIND).bind(after, holdsPerChunk).first<Found>();
    if (found === null || found.through === null) break;
    const { through, due, openedMs, beforeMs } = found;
    if (due > 0) gone += await closeChunk(db, { after, through, beforeMs });
    // From here on all are too young: on a busy service those are the most.
    if (due === 0 && openedMs >= beforeMs) break;
    after = through;
  }
  return gone;
}

/** Closes one chunk, in one transaction. @returns how many holds are deleted */
export async function closeChunk(db: D1Database, { after, through, beforeMs }: Chunk): Promise<number> {
  const results = await db.batch<{ readonly id: string }>(
    [MOVE, ADD_UP, TAKE_ROWS_AWAY, TAKE_HOLDS_AWAY].map((text) => db.prepare(text).bind(after, through, beforeMs)),
  );
  return results.at(-1)?.results.length ?? 0;
}
