import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Crowd } from '../scene/crowd.ts';
import type { Stage } from '../scene/stage.ts';
import type { Row } from './row.ts';

const ACCOUNT = 'crowd-statement';
const ROWS = 1_200_000;
/** One less than an account may ask for in a minute. */
const PAGES = 29;

/** Rows of one credit each, as if it had been granted them one by one; the books still add up. */
async function seed(state: string): Promise<void> {
  const files = await readdir(state, { recursive: true });
  for (const file of files.filter((name) => name.endsWith('.sqlite'))) {
    const database = new DatabaseSync(join(state, file));
    const isLedger = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'ledger'").get() !== undefined;
    if (isLedger) {
      database.exec('BEGIN');
      database
        .prepare(
          `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
           INSERT INTO ledger (account_id, ref_id, kind, delta, at) SELECT ?1, 'seeded-' || i, 'purchase', 1, ?3 + i FROM n`,
        )
        .run(ACCOUNT, ROWS, Date.now() - ROWS);
      database.prepare('UPDATE accounts SET balance = balance + ?2 WHERE id = ?1').run(ACCOUNT, ROWS);
      database.exec('COMMIT');
    }
    database.close();
    if (isLedger) return;
  }
  throw new Error('There is no database with a ledger');
}

async function begin(stage: Stage): Promise<Crowd> {
  const email = 'owner@crowd.example.org';
  await stage.admin.setOwner(ACCOUNT, email);
  const browser = await stage.visit(email);
  let asked = 0;
  const pages = Array.from({ length: PAGES }, () => {
    asked += 1;
    return browser.ask('GET', 'statement?limit=1').catch(() => null);
  });
  return { held: () => asked, leave: async () => void (await Promise.all(pages)) };
}

/** Pages of a long statement. */
export const LONG_STATEMENT: Row = {
  name: '8',
  what: `${PAGES} pages at once of a statement of ${ROWS} rows`,
  behaviour: { at: 'own', rcptAfterMs: 0, says: '' },
  seed: { account: ACCOUNT, into: seed },
  begin,
  gathersMs: 0,
  holds: PAGES,
  unit: 'pages',
  p99Ms: 1_000,
};
