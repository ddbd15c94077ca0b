import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEdge, withVars, type Customer, type Edge } from './testing/edge.ts';

// How many addresses of an account may be in flight at once.

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge({ BATCH_DEADLINE_S: '5', MAX_IN_FLIGHT: '4' });
});
afterAll(() => edge.stop());

/** Addresses of a batch that runs until its deadline. */
const silent = (count: number): string[] => Array.from({ length: count }, (_, at) => `a${at}@silent.test`);

async function open(customer: Customer): Promise<unknown> {
  const db = await edge.db();
  const text = 'SELECT count(*) AS n FROM holds WHERE account_id = ? AND closed_by IS NULL';
  return db.prepare(text).bind(customer.accountId).first('n');
}

/** As left by a Worker that died. */
async function leaveOpen(customer: Customer, addresses: number, expiresAt: number): Promise<void> {
  const db = await edge.db();
  const id = `left-${customer.accountId}`;
  await db.batch([
    db
      .prepare(
        'INSERT INTO holds (id, account_id, credits, addresses, opened_at, expires_at) VALUES (?, ?, ?3, ?3, 0, ?4)',
      )
      .bind(id, customer.accountId, addresses, expiresAt),
    db
      .prepare("INSERT INTO ledger (account_id, ref_id, kind, delta, at) VALUES (?, ?, 'hold', -?3, 0)")
      .bind(customer.accountId, id, addresses),
    db.prepare('UPDATE accounts SET balance = balance - ? WHERE id = ?').bind(addresses, customer.accountId),
  ]);
}

describe('an account at its limit of addresses in flight', () => {
  it('gets 429 with Retry-After and holds nothing until a batch ends; others are served', async () => {
    const [customer, other] = [await edge.customer(100), await edge.customer(100)];
    const long = edge.verify(customer.key, silent(3));
    await expect.poll(() => open(customer)).toBe(1);
    const refused = await edge.verify(customer.key, ['a@good.test', 'b@good.test']);
    expect([refused.status, await refused.json()]).toEqual([
      429,
      {
        error: 'An account can have 4 addresses in progress at the same time: 3 are, and this request has 2.',
        code: 'RATE_LIMITED',
      },
    ]);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(refused.headers.get('ratelimit-remaining')).toBe('58');
    expect(await open(customer)).toBe(1);
    expect((await edge.verify(customer.key, ['a@good.test'])).status).toBe(200);
    expect((await edge.verify(other.key, ['a@good.test', 'b@good.test'])).status).toBe(200);
    await (await long).text();
    await edge.settled(customer.accountId);
    expect((await edge.verify(customer.key, ['a@good.test', 'b@good.test'])).status).toBe(200);
  });

  it('is served as many concurrent calls as fit, and no more', async () => {
    const customer = await edge.customer(100);
    const answers = await Promise.all(Array.from({ length: 8 }, () => edge.verify(customer.key, silent(2))));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(6);
    const { rows } = await edge.settled(customer.accountId);
    expect(rows.filter(([kind]) => kind === 'hold')).toEqual([
      ['hold', -2],
      ['hold', -2],
    ]);
  });

  it('gets 429 rather than 402 if it lacks credits too', async () => {
    const customer = await edge.customer(5);
    await leaveOpen(customer, 4, Date.now() + 600_000);
    expect((await edge.verify(customer.key, ['a@good.test', 'b@good.test'])).status).toBe(429);
  });

  it('is freed from a dead batch by the sweep', async () => {
    const customer = await edge.customer(10);
    await leaveOpen(customer, 4, 1);
    expect((await edge.verify(customer.key, ['a@good.test'])).status).toBe(429);
    await (await edge.mf.getWorker('edge')).scheduled();
    expect((await edge.verify(customer.key, ['a@good.test'])).status).toBe(200);
    expect((await edge.settled(customer.accountId)).balance).toBe(9);
  });
});

describe('the count in flight', () => {
  it('is of addresses and not credits: duplicates under CHARGE=entries are one', async () => {
    const customer = await edge.customer(100);
    await leaveOpen(customer, 3, Date.now() + 600_000);
    const vars = withVars({ CHARGE: 'entries' });
    const same = Array.from({ length: 6 }, () => 'a@good.test');
    expect((await edge.verify(customer.key, same, vars)).status).toBe(200);
    expect((await edge.verify(customer.key, ['a@good.test', 'b@good.test'], vars)).status).toBe(429);
  });

  it('excludes entries that are not addresses, even if they cost credits', async () => {
    const customer = await edge.customer(100);
    await leaveOpen(customer, 4, Date.now() + 600_000);
    expect((await edge.verify(customer.key, ['x', 7])).status).toBe(200);
    expect((await edge.verify(customer.key, ['x', 7], withVars({ CHARGE: 'entries' }))).status).toBe(200);
  });

  it('has no limit with MAX_IN_FLIGHT=0', async () => {
    const customer = await edge.customer(100);
    await leaveOpen(customer, 50, Date.now() + 600_000);
    const vars = withVars({ MAX_IN_FLIGHT: '0' });
    expect((await edge.verify(customer.key, ['a@good.test'], vars)).status).toBe(200);
  });
});
