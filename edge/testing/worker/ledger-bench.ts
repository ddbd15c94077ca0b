import * as z from 'zod';
import { newCallId } from '../../call.ts';
import { readLedger } from '../../ledger/account.ts';
import { audit } from '../../ledger/audit.ts';
import { closeBooks } from '../../ledger/close-books.ts';
import { hold } from '../../ledger/hold.ts';
import { settle } from '../../ledger/settle.ts';
import { sweep } from '../../ledger/sweep.ts';

// The ledger alone, for the bench: filled with requests of the past, used, and looked after. Answers are JSON.

export { Limiter } from '../../limiter/limiter.ts';
export { Fleet } from './fleet.ts';

const YEAR_MS = 365 * 86_400_000;
const CREDITS = 1_000_000_000;

const orderSchema = z.discriminatedUnion('do', [
  z.object({ do: z.literal('open'), accounts: z.array(z.string()) }),
  /** Settled requests of one credit: id, account, when, and what came back. */
  z.object({
    do: z.literal('fill'),
    requests: z.array(z.tuple([z.string(), z.string(), z.int(), z.int().min(0).max(1)])),
  }),
  z.object({ do: z.literal('balance') }),
  z.object({ do: z.literal('hold'), accounts: z.array(z.string()) }),
  z.object({ do: z.literal('sumAll') }),
  z.object({ do: z.literal('close'), chunks: z.int() }),
  z.object({ do: z.literal('turn') }),
  z.object({ do: z.literal('statement'), account: z.string() }),
  z.object({ do: z.literal('count') }),
]);
export type Order = z.infer<typeof orderSchema>;

export default {
  async fetch(request, { DB }): Promise<Response> {
    const order = orderSchema.parse(await request.json());
    return Response.json((await carryOut(DB, order)) ?? null);
  },
} satisfies ExportedHandler<{ readonly DB: D1Database }>;

async function carryOut(db: D1Database, order: Order): Promise<unknown> {
  switch (order.do) {
    case 'open':
      return open(db, order.accounts);
    case 'fill':
      return fill(db, JSON.stringify(order.requests));
    case 'balance':
      return db
        .prepare('UPDATE accounts SET balance = (SELECT sum(delta) FROM ledger WHERE account_id = accounts.id)')
        .run();
    case 'hold':
      return holdAndSettle(db, order.accounts);
    case 'sumAll':
      return timed(() => db.prepare(SUM_ALL).all());
    case 'close':
      return timed(() => closeBooks(db, { holdsPerChunk: 1_000, chunks: order.chunks }));
    case 'turn':
      return timed(async () => {
        await sweep(db);
        await closeBooks(db);
        return audit(db);
      });
    case 'statement':
      return timed(async () => (await readLedger(db, order.account, 101)).length);
    case 'count':
      return db.prepare('SELECT (SELECT count(*) FROM holds) AS holds, (SELECT count(*) FROM ledger) AS rows').first();
  }
}

/** What the audit was: every balance beside the sum of all its rows. */
const SUM_ALL = `
  SELECT a.id, a.balance, coalesce(sum(l.delta), 0) AS sum FROM accounts a LEFT JOIN ledger l ON l.account_id = a.id
   GROUP BY a.id, a.balance HAVING a.balance <> coalesce(sum(l.delta), 0)`;

async function timed(run: () => Promise<unknown>): Promise<{ readonly ms: number; readonly answer: unknown }> {
  const startedAt = Date.now();
  const answer = await run();
  return { ms: Date.now() - startedAt, answer };
}

async function open(db: D1Database, accounts: readonly string[]): Promise<void> {
  const now = Date.now();
  await db.batch(
    accounts.flatMap((id) => [
      db
        .prepare('INSERT INTO accounts (id, name, balance, expires_at, created_at) VALUES (?, ?, ?, ?, 0)')
        .bind(id, id, CREDITS, now + YEAR_MS),
      db
        .prepare("INSERT INTO api_keys (hash, id, account_id, label, hint, created_at) VALUES (?1, ?1, ?1, '', '', 0)")
        .bind(id),
      db
        .prepare("INSERT INTO ledger (account_id, ref_id, kind, delta, at) VALUES (?, 'first', 'purchase', ?, ?)")
        .bind(id, CREDITS, now - YEAR_MS),
    ]),
  );
}

const FILLS = [
  `INSERT INTO holds (id, account_id, credits, addresses, opened_at, expires_at, closed_by, closed_at, returned)
   SELECT value ->> 0, value ->> 1, 1, 1, value ->> 2, (value ->> 2) + 210000, 'settle', (value ->> 2) + 5000, value ->> 3
     FROM json_each(?1)`,
  `INSERT INTO ledger (account_id, ref_id, kind, delta, at)
   SELECT value ->> 1, value ->> 0, 'hold', -1, value ->> 2 FROM json_each(?1)`,
  `INSERT INTO ledger (account_id, ref_id, kind, delta, at)
   SELECT value ->> 1, value ->> 0, 'return', 1, (value ->> 2) + 5000 FROM json_each(?1) WHERE value ->> 3 = 1`,
];

async function fill(db: D1Database, requests: string): Promise<void> {
  await db.batch(FILLS.map((text) => db.prepare(text).bind(requests)));
}

/** One hold after the other, timed together; the settlements are not. */
async function holdAndSettle(db: D1Database, accounts: readonly string[]): Promise<{ readonly ms: number }> {
  const startedAt = Date.now();
  const batches: string[] = [];
  for (const keyHash of accounts) {
    const batchId = newCallId(Date.now());
    const request = { batchId, keyHash, markUsed: false, credits: 1, addresses: 1, maxInFlight: 10_000 };
    const { kind } = await hold(db, { ...request, lastsMs: 210_000 });
    if (kind !== 'held') throw new Error(`A hold of the bench was ${kind}`);
    batches.push(batchId);
  }
  const ms = Date.now() - startedAt;
  await settle(
    db,
    batches.map((batchId) => ({ batchId, back: 0 })),
  );
  return { ms };
}
