import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startOwnEdge, type Edge } from './testing/edge.ts';

let edge: Edge;
beforeAll(async () => {
  edge = await startOwnEdge();
});
afterAll(() => edge.stop());

const DAY_MS = 86_400_000;

it('the cron closes the books, and drops operators’ calls after 400 days', async () => {
  const db = await edge.db();
  const { accountId } = await edge.customer(10);
  const long = Date.now() - 30 * DAY_MS;
  const call = db.prepare(
    "INSERT INTO audit (at, operator, token_id, method, path, body_hash) VALUES (?, 'ann', ?, 'GET', '/hosts', '')",
  );
  await db.batch([
    db
      .prepare(
        "INSERT INTO holds (id, account_id, credits, opened_at, expires_at, closed_by, closed_at, returned) VALUES ('b', ?1, 4, ?2, ?2, 'settle', ?2, 1)",
      )
      .bind(accountId, long),
    db.prepare("INSERT INTO ledger VALUES (?1, 'b', 'hold', -4, ?2), (?1, 'b', 'return', 1, ?2)").bind(accountId, long),
    db.prepare('UPDATE accounts SET balance = balance - 3 WHERE id = ?').bind(accountId),
    call.bind(Date.now() - 401 * DAY_MS, 'old'),
    call.bind(Date.now() - 399 * DAY_MS, 'kept'),
  ]);
  await (await edge.mf.getWorker('edge')).scheduled();
  const day = new Date(long).toISOString().slice(0, 10);
  const rows = await db.prepare("SELECT ref_id AS ref, delta FROM ledger WHERE ref_id <> 'first' ORDER BY delta").all();
  expect(rows.results).toEqual([
    { ref: day, delta: -4 },
    { ref: day, delta: 1 },
  ]);
  expect((await db.prepare('SELECT id FROM holds').all()).results).toEqual([]);
  expect((await db.prepare('SELECT token_id FROM audit').all()).results).toEqual([{ token_id: 'kept' }]);
  const beat = await db.prepare('SELECT at FROM heartbeat').first<{ at: number }>();
  expect(Math.abs((beat?.at ?? 0) - Date.now())).toBeLessThan(30_000);
  // Whether the service is up is another matter: on a busy machine an object may take too long to answer.
  const errors = edge.logs.filter((line) => line.includes('"error"') && !line.includes('"service_down"'));
  expect(errors).toEqual([]);
});

it('the heartbeat does not wait for Stripe, which never answers', async () => {
  let asked = 0;
  const silent = createServer(() => (asked += 1)).listen(0, '127.0.0.1');
  await new Promise((listening) => silent.once('listening', listening));
  const address: string | AddressInfo | null = silent.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const packs = '[{"id":"small","credits":100,"amount":4900,"currency":"eur"}]';
  const alone = await startOwnEdge({
    STRIPE_URL: `http://127.0.0.1:${port}`,
    STRIPE_SECRET_KEY: 'sk_test_x',
    PACKS: packs,
  });
  try {
    const db = await alone.db();
    const { accountId } = await alone.customer(10);
    const at = Date.now() - 3_600_000;
    await db
      .prepare(
        "INSERT INTO orders (id, account_id, credits, amount, currency, state, created_at, checkout_id, asked_at) VALUES ('o', ?1, 1, 1, 'eur', 'open', ?2, 'cs_1', ?2)",
      )
      .bind(accountId, at)
      .run();
    const beats = async (): Promise<number> =>
      (await db.prepare('SELECT count(*) AS n FROM heartbeat').first<number>('n')) ?? 0;
    const run = (await alone.mf.getWorker('edge')).scheduled();
    await expect.poll(() => asked, { timeout: 20_000 }).toBeGreaterThan(0);
    expect(await beats()).toBe(1);
    silent.closeAllConnections();
    silent.close();
    await run;
  } finally {
    await alone.stop();
  }
}, 60_000);
