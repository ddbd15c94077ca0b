import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { audit } from '../../schema/tables.ts';
import { NOW_MS } from '../ledger/clock.ts';

export type AuditEntry = {
  readonly operator: string;
  readonly tokenId: string;
  readonly method: string;
  /** A path of known shape, or its pattern: never anything a caller made up. */
  readonly path: string;
  /** The digest of the request that the token was made for. */
  readonly bodyHash: string;
  /** Milliseconds since 1970. */
  readonly at: number;
};

/**
 * Writes the row of a call before the call is carried out, so that every action of an operator has one.
 * @returns the row's id; null if the token was used before
 */
export async function openAudit(db: D1Database, entry: AuditEntry): Promise<number | null> {
  const rows = await drizzle(db).insert(audit).values(entry).onConflictDoNothing().returning({ id: audit.id });
  return rows[0]?.id ?? null;
}

/** Records how the call ended. */
export async function closeAudit(db: D1Database, id: number, status: number): Promise<void> {
  await drizzle(db).update(audit).set({ status }).where(eq(audit.id, id));
}

const KEPT_MS = 400 * 86_400_000;
const ROWS_PER_TURN = 500;

/** Ids grow with time, so only the oldest rows are read. */
export const DROP_OLD_AUDIT = `
  DELETE FROM audit
   WHERE id IN (SELECT id FROM audit ORDER BY id LIMIT ${ROWS_PER_TURN}) AND at < ${NOW_MS} - ${KEPT_MS}`;
