import { DatabaseSync } from 'node:sqlite';

// What a restore of the database changes that somebody had decided since: two exports, compared row by row.

/** One kind of change, for the operator to undo. Lines have ids of ours alone, no address. */
export type Change = { readonly what: string; readonly remedy: string; readonly ids: readonly string[] };

type Question = { readonly what: string; readonly remedy: string; readonly sql: string };

/** `now` is what was there before the restore, `old` what is there after it. */
const QUESTIONS: readonly Question[] = [
  {
    what: 'API keys that were deleted and work again',
    remedy: 'admin key delete ID',
    sql: `SELECT id FROM old.api_keys WHERE kind <> 'page' AND hash NOT IN (SELECT hash FROM now.api_keys)`,
  },
  {
    what: 'API keys that were made since and are gone',
    remedy: 'tell their owners to make new ones',
    sql: `SELECT id FROM now.api_keys WHERE kind <> 'page' AND hash NOT IN (SELECT hash FROM old.api_keys)`,
  },
  {
    what: 'hosts that were removed or drained and may serve again',
    remedy: 'admin host remove ID, or drain',
    sql: `SELECT o.id FROM old.hosts o JOIN now.hosts n ON n.id = o.id WHERE o.state = 'active' AND n.state <> 'active'`,
  },
  {
    what: 'hosts that joined since and are refused, or have another key',
    remedy: 'prober/runbooks/rejoin.md',
    sql: `SELECT id FROM now.hosts n WHERE state <> 'removed'
           AND NOT EXISTS (SELECT 1 FROM old.hosts o WHERE o.id = n.id AND o.public_key = n.public_key)`,
  },
  {
    what: 'domains that opted out since and would be probed, by hash',
    remedy: 'admin opt-out add DOMAIN, from your correspondence',
    sql: `SELECT hash AS id FROM now.opt_outs WHERE hash NOT IN (SELECT hash FROM old.opt_outs)`,
  },
  {
    what: 'people who had deleted themselves and are back',
    remedy: 'delete their rows again, by id: sessions, passkeys, memberships, people',
    sql: `SELECT id FROM old.people WHERE id NOT IN (SELECT id FROM now.people)`,
  },
  {
    what: 'orders that were paid since and are not booked',
    remedy: 'admin credits grant ACCOUNT CREDITS --id ORDER',
    sql: `SELECT id FROM now.orders n WHERE state = 'paid'
           AND NOT EXISTS (SELECT 1 FROM old.orders o WHERE o.id = n.id AND o.state = 'paid')`,
  },
  {
    what: 'purchases and corrections that are gone, as account and id',
    remedy: 'admin credits grant ACCOUNT CREDITS --id ID',
    sql: `SELECT account_id || ' ' || ref_id || ' ' || CAST(delta AS INTEGER) AS id FROM now.ledger n WHERE kind IN ('purchase', 'correction')
           AND NOT EXISTS (SELECT 1 FROM old.ledger o WHERE o.account_id = n.account_id AND o.ref_id = n.ref_id AND o.kind = n.kind)`,
  },
];

/**
 * What came back or went with a restore.
 * @param before the export of \`wrangler d1 export\` from before the restore @param after the one from after it
 * @throws Error if one of them is no such export
 */
export function compareExports(before: string, after: string): readonly Change[] {
  const db = new DatabaseSync(':memory:');
  try {
    for (const [name, dump] of [
      ['now', before],
      ['old', after],
    ] as const)
      load(db, name, dump);
    return QUESTIONS.map(({ what, remedy, sql }) => ({
      what,
      remedy,
      ids: db
        .prepare(sql)
        .all()
        .map(({ id }) => String(id)),
    })).filter(({ ids }) => ids.length > 0);
  } finally {
    db.close();
  }
}

/** A dump names no schema: it is loaded into a database of its own, whose tables are then copied. */
function load(db: DatabaseSync, name: 'now' | 'old', dump: string): void {
  const own = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false });
  try {
    own.exec(dump);
    db.exec(`ATTACH ':memory:' AS ${name}`);
    for (const table of ['api_keys', 'hosts', 'opt_outs', 'people', 'orders', 'ledger']) copy(own, db, name, table);
  } finally {
    own.close();
  }
}

function copy(from: DatabaseSync, to: DatabaseSync, name: string, table: string): void {
  const columns = from
    .prepare(`SELECT name FROM pragma_table_info('${table}')`)
    .all()
    .map((column) => String(column['name']));
  if (columns.length === 0) throw new Error(`it has no table ${table}`);
  to.exec(`CREATE TABLE ${name}.${table} (${columns.join(', ')})`);
  const insert = to.prepare(`INSERT INTO ${name}.${table} VALUES (${columns.map(() => '?').join(', ')})`);
  for (const row of from.prepare(`SELECT * FROM ${table}`).iterate())
    insert.run(...columns.map((column) => row[column] ?? null));
}
