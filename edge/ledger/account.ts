import { databaseName, type Home } from '../base/databases.ts';
import { within } from '../base/within.ts';
import { NOW_MS } from './clock.ts';

// Reads for operators: nothing here writes.

export type Balance = {
  /** What may be spent: 0 once the balance has expired. */
  readonly credits: number;
  /** The sum of the account's ledger rows, expired or not. */
  readonly balance: number;
  /** Milliseconds since 1970 UTC; 0 before the first purchase. */
  readonly expiresAt: number;
  /** Credits held by open batches, and the number of those batches. */
  readonly held: number;
  readonly openBatches: number;
};

/** What an account's own database has about it. */
type Money = Pick<Balance, 'expiresAt'> & {
  /** Null, like `keys`, if its database does not answer. */
  readonly credits: number | null;
  /** How many API keys it has, not counting those of its pages. */
  readonly keys: number | null;
  /** The last day (since 1970 UTC) on which one of its batches was settled; null if none was. */
  readonly lastUsedDay: number | null;
};

export type AccountRow = Money & {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly people: number;
};

export type RefundDay = { readonly day: number; readonly batches: number };

const BALANCE = `
  SELECT iif(a.expires_at > ${NOW_MS}, a.balance, 0) AS credits, a.balance, a.expires_at AS expiresAt,
         (SELECT coalesce(sum(h.credits), 0) FROM holds h WHERE h.closed_by IS NULL AND h.account_id = a.id) AS held,
         (SELECT count(*) FROM holds h WHERE h.closed_by IS NULL AND h.account_id = a.id) AS openBatches
    FROM accounts a WHERE a.id = ?1`;

const ACCOUNTS = `
  SELECT a.id, a.name, a.created_at AS createdAt, coalesce(a.database, 0) AS database,
         (SELECT count(*) FROM memberships m WHERE m.account_id = a.id) AS people
    FROM accounts a
   WHERE a.id > ?1 AND (instr(a.id, lower(?3)) > 0 OR instr(lower(a.name), lower(?3)) > 0)
   ORDER BY a.id LIMIT ?2`;

const MONEY = `
  SELECT a.id, iif(a.expires_at > ${NOW_MS}, a.balance, 0) AS credits, a.expires_at AS expiresAt,
         (SELECT count(*) FROM api_keys k WHERE k.account_id = a.id AND k.kind <> 'page') AS keys,
         (SELECT max(u.day) FROM usage_days u WHERE u.account_id = a.id) AS lastUsedDay
    FROM accounts a WHERE a.id IN (SELECT value FROM json_each(?1))`;
const EMPTY: Money = { credits: 0, expiresAt: 0, keys: 0, lastUsedDay: null };
const UNREAD: Money = { ...EMPTY, credits: null, keys: null };
const D1_TIMEOUT_MS = 1_500;

const LAST_USE = 'SELECT max(day) AS day FROM usage_days WHERE account_id = ?1';

const REFUND_DAYS = `
  SELECT day, batches FROM refund_days WHERE account_id = ?1 ORDER BY day DESC LIMIT ?2`;

/** An account's money as it is now; null for an account that is not there. */
export async function readBalance(db: D1Database, accountId: string): Promise<Balance | null> {
  return db.prepare(BALANCE).bind(accountId).first<Balance>();
}

/**
 * The accounts whose ids come after one, in id order, at most `rows`, each with the data of its database.
 * @param search a part of the id or the name, in any case (of A to Z); '' finds all
 * @returns also the names of the databases that did not answer
 * @throws what the directory throws
 */
export async function readAccounts(
  { db, all }: Home,
  { after, search, rows }: { readonly after: string; readonly search: string; readonly rows: number },
): Promise<{ readonly rows: readonly AccountRow[]; readonly missing: readonly string[] }> {
  type Named = Omit<AccountRow, keyof Money> & { readonly database: number };
  const named = (await db.prepare(ACCOUNTS).bind(after, rows, search).all<Named>()).results;
  const found = new Map<string, Money>();
  const missing = await Promise.all(
    all.map(async (there, number) => {
      const ids = named.filter(({ database }) => database === number).map(({ id }) => id);
      if (ids.length === 0) return [];
      const read = there.prepare(MONEY).bind(JSON.stringify(ids)).all<Money & { readonly id: string }>();
      const [answered] = await Promise.allSettled([within(D1_TIMEOUT_MS, read)]);
      for (const id of ids) found.set(id, answered.status === 'fulfilled' ? EMPTY : UNREAD);
      if (answered.status === 'rejected') return [databaseName(number)];
      for (const { id, ...money } of answered.value.results) found.set(id, money);
      return [];
    }),
  );
  return {
    rows: named.map(({ database: _database, ...row }) => ({ ...row, ...(found.get(row.id) ?? UNREAD) })),
    missing: missing.flat(),
  };
}

/** The last day (since 1970 UTC) on which a batch of the account was settled; null if none was. */
export async function readLastUse(db: D1Database, accountId: string): Promise<number | null> {
  return db.prepare(LAST_USE).bind(accountId).first<number>('day');
}

/** How many batches of an account were refunded in full, by day (since 1970 UTC), newest first, at most `days`. */
export async function readRefundDays(db: D1Database, accountId: string, days: number): Promise<readonly RefundDay[]> {
  const found = await db.prepare(REFUND_DAYS).bind(accountId, days).all<RefundDay>();
  return found.results;
}
