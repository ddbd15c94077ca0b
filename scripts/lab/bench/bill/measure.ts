import { randomUUID } from 'node:crypto';
import { rowsOf } from '../../../../edge/local/database.ts';
import { bundleEdge } from '../../../../edge/local/bundle-edge.ts';
import { startLocalEdge } from '../../../../edge/local/miniflare.ts';
import { closeBooks } from '../../../../edge/ledger/close-books.ts';
import { hold } from '../../../../edge/ledger/hold.ts';
import { settle } from '../../../../edge/ledger/settle.ts';
import { keepBooks, keepDirectory } from '../../../../edge/scheduled.ts';
import { sendNotices } from '../../../../edge/notices/notices.ts';

/** Rows as D1 counts and charges them. */
export type Cost = { readonly what: string; readonly read: number; readonly written: number };

const CALLS = 20;
const ACCOUNTS = 1_000;
const YEAR_MS = 365 * 86_400_000;

export type Bill = { readonly calls: readonly Cost[]; readonly minute: Cost };

/**
 * What D1 charges for a call of one address, one after the other, and for a minute in which nothing happens.
 * @returns calls: charged and refunded, each while it is served and when its books are closed
 */
export async function measureBill(): Promise<Bill> {
  const { db, mf } = await startLocalEdge({
    script: await bundleEdge(),
    port: 0,
    state: null,
    vars: {},
    onLog: () => {},
  });
  const each = async (what: string, work: () => Promise<void>): Promise<Cost> => {
    const { read, written } = await rowsOf(db, work);
    return { what, read: read / CALLS, written: written / CALLS };
  };
  const calls = async (back: 0 | 1): Promise<void> => {
    const usage = { keyId: 'key', valid: 1 - back, risky: 0, invalid: 0, unknown: back };
    const request = {
      keyHash: 'key',
      markUsed: false,
      credits: 1,
      addresses: 1,
      maxInFlight: 10_000,
      lastsMs: 210_000,
    };
    for (let call = 0; call < CALLS; call += 1) {
      const batchId = randomUUID();
      const held = await hold(db, { ...request, batchId });
      if (held.kind !== 'held') throw new Error(held.kind);
      await settle(db, [{ batchId, back, usage, answered: { status: 200, ms: 250 } }]);
    }
  };
  try {
    await db.batch([
      db.prepare(`
        INSERT INTO accounts (id, name, created_at, balance, expires_at)
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ACCOUNTS})
        SELECT 'acc' || i, '', 0, 1000, ${Date.now() + YEAR_MS} FROM n`),
      db.prepare("INSERT INTO ledger SELECT id, 'first', 'purchase', 1000, 0 FROM accounts"),
      db.prepare(
        "INSERT INTO api_keys (hash, id, account_id, label, hint, created_at) VALUES ('key', 'key', 'acc1', '', '', 0)",
      ),
    ]);
    const costs: Cost[] = [];
    for (const [what, back] of [['a charged call', 0] as const, ['a refunded call', 1] as const]) {
      costs.push(await each(what, () => calls(back)));
      await db.prepare('UPDATE holds SET opened_at = 0, closed_at = 0').run();
      costs.push(await each(`${what}, closing its books`, async () => void (await closeBooks(db))));
    }
    const quiet = async (): Promise<void> => {
      await keepBooks(db, {});
      await keepDirectory(db);
      await sendNotices(db, db, { send: () => Promise.resolve() }, '');
    };
    await quiet();
    return { calls: costs, minute: { what: `a minute of ${ACCOUNTS} idle accounts`, ...(await rowsOf(db, quiet)) } };
  } finally {
    await mf.dispose();
  }
}
