import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashKey } from './access/key.ts';
import { inIsolate, mintKey, SECRETS, startEdge, withVars, type Customer, type Edge } from './testing/edge.ts';

// What an account with many keys and without credits costs everyone else.

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge({ ACCOUNT_RATE_LIMIT: '20' });
});
afterAll(() => edge.stop());

/** More keys for an account. */
async function keysOf({ accountId }: Customer, count: number): Promise<readonly string[]> {
  const db = await edge.db();
  const keys = await Promise.all(Array.from({ length: count }, () => mintKey(SECRETS[0], 'svc_live_', accountId)));
  const text = 'INSERT INTO api_keys (hash, id, account_id, label, hint, created_at) VALUES (?, ?, ?, ?, ?, 0)';
  const hashes = await Promise.all(keys.map((key) => hashKey(key)));
  await db.batch(hashes.map((hash) => db.prepare(text).bind(hash, randomUUID(), accountId, '', '')));
  return keys;
}
const address = ['a@good.test'];

describe('an account with many keys and no credits', () => {
  it('gets 402, and 429 beyond its limit', async () => {
    const keys = await keysOf(await edge.customer(0), 20);
    const statuses: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      const answers = await Promise.all(keys.map((key) => edge.verify(key, address)));
      statuses.push(...answers.map(({ status }) => status));
      const refused = answers.find(({ status }) => status === 429);
      if (refused !== undefined) {
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(await refused.json()).toEqual({
          error: 'More than 20 requests in a minute with the keys of this account.',
          code: 'RATE_LIMITED',
        });
      }
    }
    expect(new Set(statuses)).toEqual(new Set([402, 429]));
    expect(statuses.filter((status) => status === 402).length).toBeLessThan(100);
  });

  it('costs no trip once it is refused, with any key, and every answer has its headers', async () => {
    const customer = await edge.customer(0);
    const keys = await keysOf(customer, 20);
    const round = () => Promise.all(keys.map((key) => edge.verify(key, address)));
    await expect.poll(async () => (await round()).map(({ status }) => status), { timeout: 30_000 }).toContain(429);
    const [fresh = ''] = await keysOf(customer, 1);
    await edge.quiet();
    const answers = [...(await round()), ...(await round()), await edge.verify(fresh, address)];
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429]));
    expect(await edge.calls()).toEqual({ d1: 0, objects: 0 });
    for (const { headers } of answers) {
      expect(headers.get('ratelimit-remaining')).toBe('0');
      expect(headers.get('retry-after')).toBe(headers.get('ratelimit-reset'));
    }
  });

  it('loses none of its calls to deleted keys', async () => {
    const customer = await edge.customer(0);
    const keys = await keysOf(customer, 20);
    const db = await edge.db();
    await db
      .prepare('DELETE FROM api_keys WHERE account_id = ? AND hash <> ?')
      .bind(customer.accountId, customer.keyHash)
      .run();
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all(keys.map((key) => edge.verify(key, address)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    }
    expect((await edge.verify(customer.key, address)).status).toBe(402);
  });

  it('gets exactly its limit over all keys, at once and from two isolates', async () => {
    const customer = await edge.customer(0);
    const keys = await keysOf(customer, 10);
    const few = withVars({ ACCOUNT_RATE_LIMIT: '40' });
    const isolates = [few, { ...few, ...inIsolate('other') }];
    // Each isolate first learns whose the keys are.
    await Promise.all(keys.flatMap((key) => isolates.map((isolate) => edge.verify(key, [], isolate))));
    const calls = keys.flatMap((key) => Array.from({ length: 6 }, (_, n) => ({ key, isolate: isolates[n % 2] ?? {} })));
    const answers = await Promise.all(calls.map(({ key, isolate }) => edge.verify(key, [], isolate)));
    const passed = answers.filter(({ status }) => status === 400).length;
    expect([passed, answers.filter(({ status }) => status === 429).length]).toEqual([40, 20]);
  });

  it('has no limit if keys have none', async () => {
    const customer = await edge.customer(0);
    const keys = await keysOf(customer, 10);
    const none = withVars({ RATE_LIMIT: '0' });
    for (let round = 0; round < 4; round += 1) {
      const answers = await Promise.all(keys.map((key) => edge.verify(key, address, none)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([402]));
    }
  });
});

describe('a 402', () => {
  it('is repeated for a second without asking D1', async () => {
    const { key, accountId } = await edge.customer(1);
    const two = ['a@good.test', 'b@good.test'];
    const twice = async () => {
      await edge.quiet();
      const answers = [await edge.verify(key, two), await edge.verify(key, two)];
      const { d1, objects } = Object(await edge.calls());
      return [...answers.map(({ status }) => status), answers[1]?.headers.get('rcpt-remaining'), d1 <= 2, objects];
    };
    // Repeated until the second call came within the second.
    await expect.poll(twice, { timeout: 20_000, interval: 1_100 }).toEqual([402, 402, '1', true, 2]);
    // A request that the credits suffice for is served all the same.
    expect((await edge.verify(key, address)).status).toBe(200);
    await edge.settled(accountId);
  });

  it('with an Idempotency-Key costs one trip to D1 while it is remembered', async () => {
    const { key } = await edge.customer(0);
    const twice = async () => {
      await edge.verify(key, address);
      await edge.quiet();
      const answer = await edge.verify(key, address, { 'idempotency-key': randomUUID() });
      return [answer.status, Object(await edge.calls()).d1];
    };
    await expect.poll(twice, { timeout: 20_000, interval: 1_100 }).toEqual([402, 1]);
  });

  it('ends within seconds of credits booked by another isolate', async () => {
    const { key, accountId } = await edge.customer(0);
    expect((await edge.verify(key, address)).status).toBe(402);
    const db = await edge.db();
    await db.prepare('UPDATE accounts SET balance = 5 WHERE id = ?').bind(accountId).run();
    await db.prepare("INSERT INTO ledger VALUES (?, 'later', 'purchase', 5, 0)").bind(accountId).run();
    await expect.poll(async () => (await edge.verify(key, address)).status, { timeout: 5_000, interval: 50 }).toBe(200);
  });
});
