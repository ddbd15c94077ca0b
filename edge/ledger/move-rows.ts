import { NOW_MS } from './clock.ts';

// The rows of an account, as they are copied from one database to another. Whoever copies holds the claim to do so, a row of
// `moves` with an id of its own: what is written without it is not written. An account may have millions of rows: none of
// these statements reads or writes more than a page of them, those that compare apart, and only what may have changed since
// the copy began is read while the account is frozen.

/** SQL: `rows` of a table, as `r`, and the `key` in whose order an index has them. */
type Source = { readonly rows: string; readonly key: readonly string[] };

/** Bound in its sources: ?1 the account, ?4 what `Since` says, as a list. */
export type Table = {
  readonly name: string;
  /** Beside the account's id. */
  readonly columns: readonly string[];
  readonly all: Source;
  /** What may have changed since; `old` is the rest. */
  readonly fresh: readonly Source[];
  readonly old: string;
  /** What is compared once all are copied. */
  readonly sums: readonly string[];
  readonly rowsPerPage: number;
};

const BATCH_ID = '(?4 ->> 0)';
const AT_MS = '(?4 ->> 1)';
/** A page is one value of D1, which has 2 MB at most. */
const ROWS_PER_PAGE = 10_000;

const columns = (names: string): readonly string[] => names.split(' ');

/** A table that is ordered by account. @param isFresh SQL: which of its rows may have changed */
function byAccount(
  name: string,
  names: string,
  key: readonly string[],
  isFresh: string,
  sums: readonly string[],
): Table {
  const rows = `${name} r WHERE r.account_id = ?1`;
  const fresh = [{ rows: `${rows} AND (${isFresh})`, key }];
  const old = `${rows} AND NOT (${isFresh})`;
  return { name, columns: columns(names), all: { rows, key }, fresh, old, sums, rowsPerPage: ROWS_PER_PAGE };
}

/** The holds of an account are found by its ledger. */
const HOLDS = `ledger l CROSS JOIN holds r ON r.id = l.ref_id AND r.account_id = l.account_id
  WHERE l.account_id = ?1 AND l.kind = 'hold'`;

/** What proves a call is copied of keys; their names stay in the directory. */
export const TABLES: readonly Table[] = [
  {
    ...byAccount('ledger', 'ref_id kind delta at', ['r.ref_id', 'r.kind'], 'true', ['delta', 'at']),
    // Ids of batches begin with the time; the days of closed books come behind them, and of purchases the time is asked.
    fresh: [
      { rows: `ledger r WHERE r.account_id = ?1 AND r.ref_id >= ${BATCH_ID}`, key: ['r.ref_id', 'r.kind'] },
      {
        rows: `ledger r INDEXED BY ledger_statement WHERE r.account_id = ?1 AND r.at >= ${AT_MS} AND +r.ref_id < ${BATCH_ID}`,
        key: ['r.ref_id', 'r.kind'],
      },
    ],
    old: `ledger r WHERE r.account_id = ?1 AND r.ref_id < ${BATCH_ID} AND r.at < ${AT_MS}`,
  },
  {
    name: 'holds',
    columns: columns('id credits addresses opened_at expires_at closed_by closed_at returned list'),
    all: { rows: HOLDS, key: ['l.ref_id'] },
    fresh: [
      { rows: `holds r WHERE r.id >= ${BATCH_ID} AND r.account_id = ?1`, key: ['r.id'] },
      // Those that no sweep has come by for. One of them that is closed meanwhile makes the copies differ.
      {
        rows: `holds r INDEXED BY holds_open WHERE r.account_id = ?1 AND r.closed_by IS NULL AND r.id < ${BATCH_ID}`,
        key: ['r.id'],
      },
    ],
    old: `${HOLDS} AND l.ref_id < ${BATCH_ID}`,
    sums: ['credits', 'coalesce(r.returned, -1)', 'coalesce(r.closed_at, 0)'],
    rowsPerPage: ROWS_PER_PAGE,
  },
  {
    ...byAccount(
      'idempotency_keys',
      'key_hash body_hash charged attempts batch_id begun_at free_until free_addresses',
      ['r.key_hash'],
      `r.batch_id >= ${BATCH_ID}`,
      ['attempts', 'free_until', 'length(r.charged)'],
    ),
    rowsPerPage: 4_000,
  },
  byAccount(
    'usage_days',
    'day key_id batches valid risky invalid unknown charged returned',
    ['r.day', 'r.key_id'],
    `r.day >= ${AT_MS} / 86400000 - 1`,
    ['batches', 'charged', 'returned'],
  ),
  byAccount('refund_days', 'day batches', ['r.day'], 'true', ['batches']),
  byAccount('notices', 'kind expires_at sent_at claimed_at', ['r.kind', 'r.expires_at'], 'true', ['sent_at']),
];

/** Not copied into the directory, which has them. */
export const KEYS: Table = byAccount(
  'api_keys',
  'hash id label hint created_at last_used_day kind expires_at session_id',
  ['r.hash'],
  'true',
  ['expires_at'],
);

export type Claim = { readonly accountId: string; readonly id: string };
/** When a copy began: nothing before this batch id and this time changes any more. */
export type Since = { readonly batchId: string; readonly atMs: number };

/** SQL: whether the claim of the account ?1 with the id ?2 stands. */
export const CLAIMED = 'EXISTS (SELECT 1 FROM moves WHERE account_id = ?1 AND id = ?2)';
const GO_ON = `UPDATE moves SET at = ${NOW_MS} WHERE account_id = ?1 AND id = ?2 RETURNING id`;

const listed = ({ batchId, atMs }: Since): string => JSON.stringify([batchId, atMs]);

/**
 * Copies the rows of an account, all or those that may have changed.
 * @returns false if the claim was lost
 */
export async function copyRows(
  [from, to]: readonly [D1Database, D1Database],
  claim: Claim,
  tables: readonly Table[],
  since: Since | null,
): Promise<boolean> {
  for (const table of tables)
    for (const source of since === null ? [table.all] : table.fresh)
      if (!(await copyFrom([from, to], claim, { table, source, since }))) return false;
  return true;
}

type Copy = { readonly table: Table; readonly source: Source; readonly since: Since | null };
type Page = { readonly row: string; readonly place: string };

async function copyFrom(
  [from, to]: readonly [D1Database, D1Database],
  { accountId, id }: Claim,
  { table: { name, columns: names, rowsPerPage }, source: { rows, key }, since }: Copy,
): Promise<boolean> {
  const shown = names.map((column) => (name === 'api_keys' && column === 'label' ? `''` : `r.${column}`));
  const pageSql = (place: string | null): string => `
    SELECT json_array(${shown.join(', ')}) AS row, json_array(${key.join(', ')}) AS place
      FROM ${rows} AND ${place === null ? '?2 IS NULL' : `(${key.join(', ')}) > (${key.map((_, at) => `?2 ->> ${at}`).join(', ')})`}
     ORDER BY ${key.join(', ')} LIMIT ?3`;
  const write = `
    INSERT OR REPLACE INTO ${name} (account_id, ${names.join(', ')})
    SELECT ?1, ${names.map((_, at) => `value ->> ${at}`).join(', ')} FROM json_each(?3) WHERE ${CLAIMED}`;
  let place: string | null = null;
  for (;;) {
    const bound = [accountId, place, rowsPerPage, ...(since !== null && rows.includes('?4') ? [listed(since)] : [])];
    const read = from.prepare(pageSql(place)).bind(...bound);
    const page: readonly Page[] = (await read.all<Page>()).results;
    const [goesOn] = await to.batch([
      to.prepare(GO_ON).bind(accountId, id),
      to.prepare(write).bind(accountId, id, `[${page.map(({ row }) => row).join(',')}]`),
    ]);
    if (goesOn?.results.length !== 1) return false;
    place = page.at(-1)?.place ?? null;
    if (page.length < rowsPerPage) return true;
  }
}

const LEDGER_ROWS = 'SELECT count(*) AS rows FROM ledger WHERE account_id = ?1';

/**
 * How many rows an account has in each table, and what they add up to: the same in both databases once all are copied.
 * @param which those that may have changed since, with the length of the whole ledger: books that are closed meanwhile shorten it; or the rest
 */
export async function countRows(
  db: D1Database,
  accountId: string,
  tables: readonly Table[],
  [which, since]: readonly ['fresh' | 'old', Since],
): Promise<readonly unknown[]> {
  const asked = tables.flatMap(({ sums, fresh, old }) =>
    (which === 'old' ? [old] : fresh.map(({ rows }) => rows)).map((rows) => {
      const added = sums.map((sum) => `coalesce(sum(${sum.includes('r.') ? sum : `r.${sum}`}), 0)`);
      return `SELECT count(*) AS rows, json_array(${added.join(', ')}) AS sums FROM ${rows}`;
    }),
  );
  const statements = [...(which === 'old' ? [] : [LEDGER_ROWS]), ...asked].map((text) =>
    text.includes('?4')
      ? // ?2 and ?3 are a page's.
        db.prepare(text.replaceAll('?4', '?2')).bind(accountId, listed(since))
      : db.prepare(text).bind(accountId),
  );
  // Where all of an account is counted others have their turn between two tables.
  const trips = which === 'old' ? statements.map((one) => [one]) : [statements];
  const rows = [];
  for (const trip of trips) for (const { results } of await db.batch(trip)) rows.push(results[0]);
  return rows;
}

/** SQL: the last of the ledger's rows that go in one round. */
const ROUND_END = `(SELECT max(ref_id) FROM (
  SELECT ref_id FROM ledger WHERE account_id = ?1 ORDER BY ref_id, kind LIMIT ${ROWS_PER_PAGE}))`;

/** Takes an account's rows away, under a condition on the account ?1 and the id ?2: a round at a time, none of which takes long. */
export async function takeRowsAway(
  db: D1Database,
  { accountId, id }: Claim,
  tables: readonly Table[],
  condition: string,
): Promise<void> {
  const round = [
    // Holds are found by the ledger's rows.
    `DELETE FROM holds WHERE account_id = ?1 AND ${condition} AND id IN (
       SELECT ref_id FROM ledger WHERE account_id = ?1 AND kind = 'hold' AND ref_id <= ${ROUND_END})`,
    `DELETE FROM ledger WHERE account_id = ?1 AND ref_id <= ${ROUND_END} AND ${condition}`,
    `SELECT EXISTS (SELECT 1 FROM ledger WHERE account_id = ?1) AND ${condition} AS isMore`,
  ];
  for (let isMore = 1; isMore === 1;) {
    const results = await db.batch<{ readonly isMore: number }>(
      round.map((text) => db.prepare(text).bind(accountId, id)),
    );
    isMore = results.at(-1)?.results[0]?.isMore ?? 0;
  }
  const others = tables.filter(({ name }) => name !== 'ledger' && name !== 'holds');
  await db.batch(
    others.map(({ name }) =>
      db.prepare(`DELETE FROM ${name} WHERE account_id = ?1 AND ${condition}`).bind(accountId, id),
    ),
  );
}
