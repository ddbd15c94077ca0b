import { OPT_OUTS_MAX } from '../../schema/admin.ts';
import { NOW_MS } from '../ledger/clock.ts';

// The domains whose owners do not want them probed, stored in D1 only as hashes.

export type Listed = { readonly hash: string; readonly createdAt: number };

const ALL = `SELECT hash, created_at AS createdAt FROM opt_outs ORDER BY created_at, hash`;
const HASHES = `SELECT hash FROM opt_outs`;
const FIND = `SELECT hash, created_at AS createdAt FROM opt_outs WHERE hash = ?1`;
const ADD = `
  INSERT INTO opt_outs (hash, created_at)
  SELECT ?1, ${NOW_MS} WHERE (SELECT count(*) FROM opt_outs) < ${OPT_OUTS_MAX}
  ON CONFLICT DO NOTHING`;
const REMOVE = `DELETE FROM opt_outs WHERE hash = ?1`;

/** Oldest first. */
export async function listAll(db: D1Database): Promise<readonly Listed[]> {
  return (await db.prepare(ALL).all<Listed>()).results;
}

export async function listHashes(db: D1Database): Promise<ReadonlySet<string>> {
  const [rows] = await db.batch<{ readonly hash: string }>([db.prepare(HASHES)]);
  return new Set(rows?.results.map(({ hash }) => hash));
}

/** Adds one; repeating it changes nothing. @returns the entry and whether this call added it; null: the list is full */
export async function add(db: D1Database, hash: string): Promise<(Listed & { readonly isNew: boolean }) | null> {
  const [added, found] = await db.batch<Listed>([db.prepare(ADD).bind(hash), db.prepare(FIND).bind(hash)]);
  const [listed] = found?.results ?? [];
  return listed === undefined ? null : { ...listed, isNew: added?.meta.changes === 1 };
}

/** @returns whether it was listed */
export async function remove(db: D1Database, hash: string): Promise<boolean> {
  return (await db.prepare(REMOVE).bind(hash).run()).meta.changes === 1;
}
