import { randomUUID } from 'node:crypto';
import { audit } from '../../../../edge/ledger/audit.ts';
import { hold } from '../../../../edge/ledger/hold.ts';
import { rowsOf } from '../../../../edge/local/database.ts';
import { bundleEdge } from '../../../../edge/local/bundle-edge.ts';
import { startLocalEdge } from '../../../../edge/local/miniflare.ts';
import { median } from '../table/table.ts';

const ACCOUNTS = 100;
const AT_ONCE = 250_000;
const RUNS = 30;
const DAY_MS = 86_400_000;

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
};
/** SQL: the whole numbers from one to before another. */
const numbers = (from: number, to: number): string =>
  `WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to - 1})`;

/** The audit of a ledger with this many rows of the last week: the most of its runs, and what a hold waits. */
export async function auditBesideHold(
  rows: number,
): Promise<{ read: number; auditMs: number; aloneMs: number; besideMs: number }> {
  const { db, mf } = await startLocalEdge({
    script: await bundleEdge(),
    port: 0,
    state: null,
    vars: {},
    onLog: () => {},
  });
  const holdOne = (): Promise<unknown> =>
    hold(db, {
      batchId: randomUUID(),
      keyHash: 'key',
      markUsed: false,
      credits: 1,
      addresses: 1,
      maxInFlight: 0,
      lastsMs: 210_000,
    });
  try {
    const now = Date.now();
    await db.batch([
      db.prepare(`INSERT INTO accounts (id, name, created_at, expires_at) ${numbers(0, ACCOUNTS)}
        SELECT printf('acc%03d', i), '', 0, ${now + 365 * DAY_MS} FROM n`),
      db.prepare(
        "INSERT INTO api_keys (hash, id, account_id, label, hint, created_at) VALUES ('key', 'key', 'acc000', '', '', 0)",
      ),
    ]);
    for (let from = 0; from < rows; from += AT_ONCE)
      await db
        .prepare(
          `INSERT INTO ledger ${numbers(from, Math.min(rows, from + AT_ONCE))}
           SELECT printf('acc%03d', i / ${Math.ceil(rows / ACCOUNTS)}), printf('p%08d', i), 'purchase', 1, ${now - 6 * DAY_MS} + i * ${5 * DAY_MS} / ${rows} FROM n`,
        )
        .run();
    await db
      .prepare('UPDATE accounts SET balance = (SELECT sum(delta) FROM ledger WHERE account_id = accounts.id)')
      .run();
    const read: number[] = [];
    const [audits, alone, beside]: [number[], number[], number[]] = [[], [], []];
    for (let run = 0; run < RUNS; run += 1) {
      const used = await rowsOf(db, () => audit(db));
      read.push(used.read);
      audits.push(used.ms);
      alone.push(await timed(holdOne));
      const audited = audit(db);
      beside.push(await timed(holdOne));
      await audited;
    }
    return { read: Math.max(...read), auditMs: median(audits), aloneMs: median(alone), besideMs: median(beside) };
  } finally {
    await mf.dispose();
  }
}
