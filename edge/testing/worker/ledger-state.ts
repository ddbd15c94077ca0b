import * as z from 'zod';
import { accountId, ACCOUNTS, type State, stateSchema } from './ledger-steps.ts';

// The money in D1 as the property test sees it: emptied before a sequence, read after every step, aged in between.

const TABLES = ['checked_books', 'turns', 'refund_days', 'ledger', 'holds', 'api_keys', 'accounts'];
const KEYS_PER_ACCOUNT = 2;

/** Leaves accounts without credits, each with its keys, and nothing else. */
export async function reset(db: D1Database): Promise<void> {
  const accounts = Array.from({ length: ACCOUNTS }, (_, account) => account);
  await db.batch([
    ...TABLES.map((table) => db.prepare(`DELETE FROM ${table}`)),
    ...accounts.map((account) =>
      db.prepare("INSERT INTO accounts (id, name, created_at) VALUES (?, 'test', 0)").bind(accountId(account)),
    ),
    ...accounts.flatMap((account) =>
      Array.from({ length: KEYS_PER_ACCOUNT }, (_, key) =>
        db
          .prepare(
            "INSERT INTO api_keys (hash, id, account_id, label, hint, created_at) VALUES (?1, ?1, ?2, '', '', 0)",
          )
          .bind(`key-${account}-${key}`, accountId(account)),
      ),
    ),
  ]);
}

/** SQL: a ledger row that is the sum of a day's. */
const IS_SUM = `(kind IN ('hold', 'return') AND ref_id GLOB '????-??-??')`;

/** The ledger uses D1's clock, which cannot be set: instead everything with a date is aged, days at a time. */
export async function shiftTime(db: D1Database, ms: number): Promise<void> {
  await db.batch([
    db.prepare('UPDATE accounts SET expires_at = expires_at - ? WHERE expires_at > 0').bind(ms),
    db
      .prepare('UPDATE holds SET opened_at = opened_at - ?1, expires_at = expires_at - ?1, closed_at = closed_at - ?1')
      .bind(ms),
    db.prepare(`UPDATE ledger SET at = at - ? WHERE NOT ${IS_SUM}`).bind(ms),
    db
      .prepare(
        `UPDATE checked_books SET through = through - ?1, sum = (
         SELECT coalesce(sum(delta), 0) FROM ledger l WHERE l.account_id = checked_books.account_id AND at < through - ?1)`,
      )
      .bind(ms),
  ]);
}

const NOW_MS = `CAST(unixepoch('subsec') * 1000 AS INTEGER)`;
/** One statement, one round trip: everything as JSON. */
const READ = `
  SELECT json_object(
    'accounts', (SELECT json_group_array(json_object('id', id, 'balance', balance,
                          'credits', iif(expires_at > ${NOW_MS}, balance, 0), 'leftMs', expires_at - ${NOW_MS})
                          ORDER BY id)
                   FROM accounts),
    'ledger', (SELECT json_group_array(json_array(account_id, ref_id, kind, delta, at / 86400000)
                        ORDER BY account_id, ref_id, kind) FROM ledger WHERE NOT ${IS_SUM}),
    'sums', (SELECT json_group_array(json_array(account_id, ref_id, kind, delta, at / 86400000)
                      ORDER BY account_id, ref_id, kind) FROM ledger WHERE ${IS_SUM}),
    'holds', (SELECT json_group_array(json_array(id, account_id, credits, closed_by, returned) ORDER BY id) FROM holds),
    'refunded', (SELECT json_group_array(json_array(account_id, batches) ORDER BY account_id)
                   FROM (SELECT account_id, sum(batches) AS batches FROM refund_days GROUP BY account_id)),
    'today', unixepoch() / 86400) AS state`;

export async function readState(db: D1Database): Promise<State> {
  const row = await db.prepare(READ).first<{ state: string }>();
  return stateSchema.parse(z.json().parse(JSON.parse(row?.state ?? 'null')));
}
