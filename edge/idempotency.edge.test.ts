import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashKey } from './access/key.ts';
import { mintKey, SECRETS, startEdge, withVars, type Customer, type Edge } from './testing/edge.ts';
import { sendOnSocket } from './testing/send-on-socket.ts';

// Requests repeated under an Idempotency-Key, end to end, with callers that disconnect, Workers that die and a D1 that
// fails.

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge({ RATE_LIMIT: '0', ACCOUNT_RATE_LIMIT: '0', BATCH_DEADLINE_S: '60' });
});
afterAll(() => edge.stop());

const under = (key: string, more: Readonly<Record<string, string>> = {}) => ({ 'idempotency-key': key, ...more });
const LINES = { accept: 'application/x-ndjson' };
const HUNDRED = Array.from({ length: 100 }, (_, n) => `a${n}@good.test`);
/** Runs until its deadline. */
const SILENT = ['a@good.test', 'b@silent.test'];
const PAIR = ['a@good.test', 'b@policy.test'];

/** The cost of a request, its refund, and the cost of those before it, from the headers of an answer. */
const bill = ({ status, headers }: Response): readonly unknown[] => [
  status,
  ...['rcpt-charged', 'rcpt-returned', 'idempotency-charged'].map((name) => headers.get(name)),
];
const refusal = async (answer: Response): Promise<readonly unknown[]> => {
  const body: unknown = await answer.json();
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined;
  return [answer.status, code, answer.headers.get('retry-after')];
};
const balance = async ({ accountId }: Customer): Promise<number> => (await edge.settled(accountId)).balance;

/** Retries until no other request has the key. */
async function asSoonAsFree(send: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const answer = await send();
    if (answer.status !== 409) return answer;
    await answer.arrayBuffer();
    await new Promise((wake) => setTimeout(wake, 50));
  }
}

async function keyRow({ accountId }: Customer): Promise<Record<string, unknown> | null> {
  const db = await edge.db();
  return db
    .prepare('SELECT attempts, charged, begun_at, free_until FROM idempotency_keys WHERE account_id = ?')
    .bind(accountId)
    .first();
}

async function change(text: string, ...values: ReadonlyArray<string | number>): Promise<void> {
  await (
    await edge.db()
  )
    .prepare(text)
    .bind(...values)
    .run();
}

async function sweep(): Promise<void> {
  await (await edge.mf.getWorker('edge')).scheduled();
}

/** Begins a request that runs until its deadline, on a socket that can be reset. */
async function beginSilent(customer: Customer, accept = '*/*'): Promise<Socket> {
  const body = JSON.stringify({ emails: SILENT });
  const socket = await sendOnSocket(edge, customer, body, ['Idempotency-Key: k', `Accept: ${accept}`]);
  await expect.poll(() => keyRow(customer)).not.toBeNull();
  return socket;
}

describe('a repeated request', () => {
  it('is verified again and charged once, even with no credits left', async () => {
    const customer = await edge.customer(2);
    const first = await edge.verify(customer.key, PAIR, under('k'));
    const elements = await first.json();
    expect(bill(first)).toEqual([200, '1', '1', '0']);
    expect(await balance(customer)).toBe(1);
    const second = await edge.verify(customer.key, PAIR, under('"k"'));
    expect(await second.json()).toEqual(elements);
    expect(bill(second)).toEqual([200, '0', '1', '1']);
    expect(await balance(customer)).toBe(1);
    const emails = ['a@good.test', 'c@good.test'];
    const both = await edge.customer(2);
    await (await edge.verify(both.key, emails, under('k'))).arrayBuffer();
    expect(await balance(both)).toBe(0);
    const free = await edge.verify(both.key, emails, under('k', LINES));
    expect((await free.text()).trimEnd().split('\n').at(-1)).toBe('{"done":true,"charged":0,"returned":0}');
    expect(free.headers.get('idempotency-charged')).toBe('2');
    expect(await edge.settled(both.accountId)).toEqual({ balance: 0, rows: [['hold', -2]] });
  });

  it('is charged once in total, wherever its caller stopped reading', async () => {
    const customer = await edge.customer(120);
    for (const least of [0, 15, 40, 70]) {
      const read = under('list/1', { ...LINES, 'x-testing-read': String(least) });
      await asSoonAsFree(() => edge.verify(customer.key, HUNDRED, read));
      await edge.settled(customer.accountId);
    }
    const last = await asSoonAsFree(() => edge.verify(customer.key, HUNDRED, under('list/1', LINES)));
    const before = Number(last.headers.get('idempotency-charged'));
    expect(before).toBeGreaterThanOrEqual(60);
    const lines = (await last.text()).trimEnd().split('\n');
    expect(lines).toHaveLength(101);
    expect(lines.at(-1)).toBe(`{"done":true,"charged":${100 - before},"returned":0}`);
    expect(await balance(customer)).toBe(20);
  });

  it('is charged once in total if every entry costs, duplicates included', async () => {
    const customer = await edge.customer(200);
    const entries = withVars({ RATE_LIMIT: '0', ACCOUNT_RATE_LIMIT: '0', CHARGE: 'entries' });
    const emails = [...HUNDRED, 'x', 7, ...HUNDRED.slice(0, 50)];
    for (const least of [0, 15, 120])
      await asSoonAsFree(() =>
        edge.verify(customer.key, emails, under('k', { ...entries, ...LINES, 'x-testing-read': String(least) })),
      );
    const last = await asSoonAsFree(() => edge.verify(customer.key, emails, under('k', entries)));
    await last.arrayBuffer();
    expect(last.status).toBe(200);
    expect(await balance(customer)).toBe(200 - 152);
  });

  it('holds again what an earlier one returned', async () => {
    const customer = await edge.customer(2);
    for (const [charged, before] of [
      ['1', '0'],
      ['0', '1'],
    ]) {
      const answer = await asSoonAsFree(() =>
        edge.verify(customer.key, ['a@good.test', 'b@unprobed.test'], under('k')),
      );
      expect(bill(answer)).toEqual([200, charged, '1', before]);
      expect(await balance(customer)).toBe(1);
    }
  });
});

describe('a request whose key is in use', () => {
  it('is 409 with Retry-After until the other caller disconnects', async () => {
    const customer = await edge.customer(10);
    const socket = await beginSilent(customer);
    const refused = await edge.verify(customer.key, SILENT, under('k'));
    expect(await refusal(refused)).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS', expect.stringMatching(/^\d+$/)]);
    socket.resetAndDestroy();
    expect(await balance(customer)).toBe(10);
    const again = await beginSilent(customer, LINES.accept);
    let heard = '';
    again.on('data', (chunk) => (heard += chunk.toString()));
    await expect.poll(() => heard).toContain('"index":0');
    again.resetAndDestroy();
    expect(await balance(customer)).toBe(9);
    expect(await keyRow(customer)).toMatchObject({ attempts: 2, charged: '1' });
  });

  it('is 409 for all but one of several concurrent requests', async () => {
    const customer = await edge.customer(100);
    const heard = new Array<string>();
    const sockets = await Promise.all(Array.from({ length: 12 }, () => beginSilent(customer)));
    for (const socket of sockets) socket.on('data', (chunk) => heard.push(chunk.toString()));
    await expect.poll(() => heard.filter((text) => text.startsWith('HTTP/1.1 409')).length).toBe(11);
    expect((await edge.money(customer.accountId)).rows).toEqual([['hold', -2]]);
    for (const socket of sockets) socket.resetAndDestroy();
    expect(await balance(customer)).toBe(100);
    expect(await keyRow(customer)).toMatchObject({ attempts: 1, charged: '0' });
  });

  it("can run once a sweep returns a dead Worker's hold, and the earlier answer costs nothing", async () => {
    const customer = await edge.customer(10);
    await edge.fail({ d1Skip: 1, d1Before: 4 });
    await (await edge.verify(customer.key, ['a@good.test'], under('k'))).arrayBuffer();
    await expect.poll(() => edge.logs.filter((line) => line.includes('settle_failed')).length).toBe(1);
    expect((await edge.verify(customer.key, ['a@good.test'], under('k'))).status).toBe(409);
    await change('UPDATE holds SET expires_at = 1 WHERE account_id = ?', customer.accountId);
    expect((await edge.verify(customer.key, ['a@good.test'], under('k'))).status).toBe(409);
    await sweep();
    expect((await edge.money(customer.accountId)).balance).toBe(10);
    expect(bill(await edge.verify(customer.key, ['a@good.test'], under('k')))).toEqual([200, '1', '0', '0']);
    expect(await balance(customer)).toBe(9);
    expect(await keyRow(customer)).toMatchObject({ attempts: 1, charged: '1' });
  });
});

describe('a request that fails', () => {
  it.each([
    ['the fleet fails', 500, 3, ['a@good.test', 'b@throws.test']],
    ['there is no room', 429, 1, ['a@good.test', 'b@share.test']],
  ])('because %s does not count as an attempt, and frees its key at once', async (_, status, times, emails) => {
    const customer = await edge.customer(10);
    for (let n = 0; n < times; n += 1) {
      const answer = await edge.verify(customer.key, emails, under('k'));
      expect([answer.status, answer.headers.get('idempotency-charged')]).toEqual([status, '0']);
      await answer.arrayBuffer();
    }
    expect(await balance(customer)).toBe(10);
    expect(await keyRow(customer)).toMatchObject({ attempts: 0 });
  });

  it.each([
    ['before the hold', { d1Before: 1 }, 200],
    ['after the hold', { d1After: 1 }, 200],
    ['after the hold, twice', { d1After: 2 }, 500],
  ])('because D1 lost the connection %s is charged at most once, and frees its key', async (_, faults, status) => {
    const customer = await edge.customer(10);
    await edge.fail(faults);
    expect((await edge.verify(customer.key, ['a@good.test'], under('k'))).status).toBe(status);
    await edge.settled(customer.accountId);
    const again = await asSoonAsFree(() => edge.verify(customer.key, ['a@good.test'], under('k')));
    await again.arrayBuffer();
    expect([again.status, await balance(customer)]).toEqual([200, 9]);
  });

  it.each([
    ['was charged before', ['a@good.test'], '1'],
    ['is no address', ['x'], '0'],
    ['was charged before or is no address', ['x', 'a@good.test'], '1'],
  ])(
    'because D1’s answer is lost, and that costs nothing because all of it %s, frees its key',
    async (_, emails, charged) => {
      const customer = await edge.customer(10);
      await (await edge.verify(customer.key, emails, under('k'))).arrayBuffer();
      await edge.settled(customer.accountId);
      await expect.poll(async () => (await keyRow(customer))?.['free_until']).toBe(0);
      const before = await keyRow(customer);
      await edge.fail({ d1After: 2 });
      expect((await edge.verify(customer.key, emails, under('k'))).status).toBe(500);
      await expect.poll(async () => (await keyRow(customer))?.['free_until']).toBe(0);
      expect(await keyRow(customer)).toEqual(before);
      const again = await edge.verify(customer.key, emails, under('k'));
      await again.arrayBuffer();
      expect([again.status, again.headers.get('idempotency-charged')]).toEqual([200, charged]);
      expect(await balance(customer)).toBe(10 - Number(charged));
    },
  );
});

describe('the header', () => {
  it('is checked after the key and the body: 401 and 413 come first', async () => {
    const customer = await edge.customer(5);
    const large = ['x'.repeat(60_000)];
    expect((await edge.verify(customer.key, large, under('"'))).status).toBe(413);
    await change('DELETE FROM api_keys WHERE hash = ?', customer.keyHash);
    expect((await edge.verify(customer.key, PAIR, under('"'))).status).toBe(401);
  });

  it('works the same for a test key, which pays nothing', async () => {
    const customer = await edge.customer(3);
    const key = await mintKey(SECRETS[0], 'svc_test_');
    const row =
      "INSERT INTO api_keys (hash, id, account_id, label, hint, created_at, kind) VALUES (?, ?, ?, '', '', 0, 'test')";
    await change(row, await hashKey(key), randomUUID(), customer.accountId);
    const statuses: number[] = [];
    for (const emails of [PAIR, PAIR, ['x']]) {
      const answer = await asSoonAsFree(() => edge.verify(key, emails, under('k')));
      await answer.arrayBuffer();
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([200, 200, 422]);
    expect(await balance(customer)).toBe(3);
  });

  it('is ignored by the older forms', async () => {
    const customer = await edge.customer(5);
    for (let n = 0; n < 2; n += 1) {
      const answer = await fetch(new URL('/api/v1/verify/bulk', edge.url), {
        method: 'POST',
        headers: {
          authorization: `Bearer ${customer.key}`,
          ...under('k'),
          ...withVars({ RATE_LIMIT: '0', LEGACY: 'on' }),
        },
        body: JSON.stringify({ emails: ['a@good.test'] }),
      });
      expect([answer.status, answer.headers.get('idempotency-charged')]).toEqual([200, null]);
      await answer.arrayBuffer();
    }
    expect(await balance(customer)).toBe(3);
  });
});
