import { NOW_MS } from './clock.ts';

// The rows of an account, as they are copied from one database to another. Whoever copies holds the claim to do so, a row of
// `moves` with an id of its own: what is written without it is not written.

/** `key`: in which order they are read. `since`: what of them may have changed after the batch id ?4 and the time ?5. */
type Table = {
  readonly name: string;
  readonly from?: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
  readonly since: string;
  /** What is compared once all are copied. */
  readonly sums: readonly string[];
};

const HOLDS = `(SELECT h.* FROM ledger l JOIN holds h ON h.id = l.ref_id AND h.account_id = l.account_id
  WHERE l.account_id = ?1 AND l.kind = 'hold')`;

const columns = (names: string): readonly string[] => names.split(' ');

/** What proves a call is copied of keys; their names stay in the directory. */
export const TABLES: readonly Table[] = [
  {
    name: 'ledger',
    columns: columns('account_id ref_id kind delta at'),
    key: ['ref_id', 'kind'],
    // Ids of batches begin with the time; the days of closed books and most purchases come behind them.
    since: 'ref_id >= ?4 OR at >= ?5',
    sums: ['delta', 'at'],
  },
  {
    name: 'holds',
    from: HOLDS,
    columns: [
      'account_id',
      'id',
      'credits',
      'addresses',
      'opened_at',
      'expires_at',
      'closed_by',
      'closed_at',
      'returned',
    ],
    key: ['id'],
    since: 'id >= ?4',
    sums: ['credits', 'coalesce(returned, -1)', 'coalesce(closed_at, 0)'],
  },
  {
    name: 'idempotency_keys',
    columns: columns('account_id key_hash body_hash charged attempts batch_id begun_at free_until free_addresses'),
    key: ['key_hash'],
    since: 'batch_id >= ?4',
    sums: ['attempts', 'free_until', 'length(charged)'],
  },
  {
    name: 'usage_days',
    columns: columns('account_id day key_id batches valid risky invalid unknown charged returned'),
    key: ['day', 'key_id'],
    since: 'day >= ?5 / 86400000 - 1',
    sums: ['batches', 'charged', 'returned'],
  },
  { name: 'refund_days', columns: columns('account_id day batches'), key: ['day'], since: 'true', sums: ['batches'] },
  {
    name: 'notices',
    columns: columns('account_id kind expires_at sent_at claimed_at'),
    key: ['kind', 'expires_at'],
    since: 'true',
    sums: ['sent_at'],
  },
];

/** Not copied into the directory, which has them. */
export const KEYS: Table = {
  name: 'api_keys',
  columns: columns('account_id hash id label hint created_at last_used_day kind expires_at session_id'),
  key: ['hash'],
  since: 'true',
  sums: ['expires_at'],
};

const ROWS_PER_PAGE = 1_000;

export type Claim = { readonly accountId: string; readonly id: string };
/** Everything, or what may have changed after a batch id and a time. */
export type Since = { readonly batchId: string; readonly atMs: number };

/** SQL: whether the claim of the account ?1 with the id ?2 stands. */
export const CLAIMED = 'EXISTS (SELECT 1 FROM moves WHERE account_id = ?1 AND id = ?2)';
const GO_ON = `UPDATE moves SET at = ${NOW_MS} WHERE account_id = ?1 AND id = ?2 RETURNING id`;

/**
 * Copies the rows of an account.
 * @param since all of them if null
 * @returns false if the claim was lost
 */
export async function copyRows(
  [from, to]: readonly [D1Database, D1Database],
  claim: Claim,
  tables: readonly Table[],
  since: Since | null,
): Promise<boolean> {
  for (const table of tables) if (!(await copyTable([from, to], claim, table, since))) return false;
  return true;
}

async function copyTable(
  [from, to]: readonly [D1Database, D1Database],
  { accountId, id }: Claim,
  { name, from: source = name, columns: all, key, since: changed }: Table,
  since: Since | null,
): Promise<boolean> {
  const shown = all.map((column) => (name === 'api_keys' && column === 'label' ? `'' AS label` : column));
  const [after, only] = [
    (place: string | null): string =>
      place === null ? '?2 IS NULL' : `(${key.join(', ')}) > (${key.map((_, at) => `?2 ->> ${at}`).join(', ')})`,
    since === null
      ? '?4 IS NULL AND ?5 = 0'
      : `(?5 IS NULL OR ${changed.replaceAll('?5', 'CAST(?5 AS INTEGER)')} OR ?4 IS NULL)`,
  ];
  const read = (place: string | null): string => `
    SELECT json_array(${shown.map((column) => column.replace(/ AS \w+$/, '')).join(', ')}) AS row, json_array(${key.join(', ')}) AS place
      FROM ${source} WHERE account_id = ?1 AND ${after(place)} AND ${only}
     ORDER BY ${key.join(', ')} LIMIT ?3`;
  const write = `
    INSERT OR REPLACE INTO ${name} (${all.join(', ')})
    SELECT ${all.map((_, at) => `value ->> ${at}`).join(', ')} FROM json_each(?3) WHERE ${CLAIMED}`;
  let place: string | null = null;
  for (;;) {
    const page: readonly Page[] = (
      await from
        .prepare(read(place))
        .bind(accountId, place, ROWS_PER_PAGE, since?.batchId ?? null, since?.atMs ?? 0)
        .all<Page>()
    ).results;
    const rows = `[${page.map(({ row }) => row).join(',')}]`;
    const [goesOn] = await to.batch([
      to.prepare(GO_ON).bind(accountId, id),
      to.prepare(write).bind(accountId, id, rows),
    ]);
    if (goesOn?.results.length !== 1) return false;
    place = page.at(-1)?.place ?? null;
    if (page.length < ROWS_PER_PAGE) return true;
  }
}

type Page = { readonly row: string; readonly place: string };

/** How many rows an account has in each table, and what they add up to: the same in both databases once all are copied. */
export async function countRows(
  db: D1Database,
  accountId: string,
  tables: readonly Table[],
): Promise<readonly unknown[]> {
  const results = await db.batch(
    tables.map(({ name, from = name, sums }) =>
      db
        .prepare(
          `SELECT count(*) AS rows, json_array(${sums.map((sum) => `coalesce(sum(${sum}), 0)`).join(', ')}) AS sums
             FROM ${from} WHERE account_id = ?1`,
        )
        .bind(accountId),
    ),
  );
  return results.map(({ results: [row] }) => row);
}

/** The statements that take an account's rows away, under a condition on the account ?1 and the id ?2. */
export function takeRowsAway(
  db: D1Database,
  { accountId, id }: Claim,
  tables: readonly Table[],
  condition: string,
): D1PreparedStatement[] {
  // Holds are found by the ledger's rows.
  const ordered = tables.toSorted((a, b) => Number(b.name === 'holds') - Number(a.name === 'holds'));
  return ordered.map(({ name }) =>
    db
      .prepare(
        name === 'holds'
          ? `DELETE FROM holds WHERE id IN (SELECT ref_id FROM ledger WHERE account_id = ?1 AND kind = 'hold')
               AND account_id = ?1 AND ${condition}`
          : `DELETE FROM ${name} WHERE account_id = ?1 AND ${condition}`,
      )
      .bind(accountId, id),
  );
}
