import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEdge, withVars, type Customer, type Edge } from './testing/edge.ts';
import { newForm } from './testing/form.ts';
import { sendOnSocket } from './testing/send-on-socket.ts';

// Callers that disconnect, and batches that reach their deadline.

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge({ RATE_LIMIT: '0', BATCH_DEADLINE_S: '60' });
});
afterAll(() => edge.stop());

const send = (customer: Customer, ...request: [body: string, headers?: readonly string[], length?: number]) =>
  sendOnSocket(edge, customer, ...request);

async function holds(customer: Customer): Promise<unknown> {
  const db = await edge.db();
  return db.prepare('SELECT count(*) AS n FROM holds WHERE account_id = ?').bind(customer.accountId).first('n');
}

async function fleetSeen(): Promise<{ dispatched: number; cancelled: number }> {
  const answer = await fetch(new URL('/testing/fleet', edge.url));
  const seen: unknown = await answer.json();
  if (typeof seen !== 'object' || seen === null || !('dispatched' in seen) || !('cancelled' in seen))
    throw new Error('The scripted fleet says nothing');
  return { dispatched: Number(seen.dispatched), cancelled: Number(seen.cancelled) };
}

const silent = JSON.stringify({ emails: ['a@good.test', 'b@silent.test', 'c@dead.test'] });
/** Ten credits, of which it was charged none. */
const REFUNDED = {
  balance: 10,
  rows: [
    ['hold', -3],
    ['return', 3],
  ],
};

/** Begins a request that runs until its deadline. @returns once the fleet has it, and what the fleet saw before */
async function beginSilent(customer: Customer) {
  const before = await fleetSeen();
  const socket = await send(customer, silent);
  await expect.poll(async () => (await fleetSeen()).dispatched).toBe(before.dispatched + 1);
  return { socket, before };
}

it('callers that leave are no fault of ours, however they leave: they are counted apart', async () => {
  const customer = await edge.customer(20);
  const { ask } = await newForm(edge);
  const page = new AbortController();
  const left = [ask('a@silent.test', { signal: page.signal }).catch(() => null)];
  const sockets = await Promise.all([
    send(customer, silent),
    send(customer, silent, ['Accept: application/x-ndjson']),
    send(customer, silent, ['Idempotency-Key: list-1']),
    send(customer, silent, ['Prefer: wait=30']),
    send(customer, silent.slice(0, 20), [], silent.length),
  ]);
  await expect.poll(async () => (await fleetSeen()).dispatched).toBe(5);
  page.abort();
  for (const socket of sockets) socket.resetAndDestroy();
  await Promise.all(left);
  expect((await edge.verify(customer.key, ['a@throws.test'])).status).toBe(500);
  const alarms = await edge.mf.getDurableObjectNamespace('ALARMS');
  const traffic = async (): Promise<unknown> => (await Reflect.get(alarms.getByName('alarms'), 'traffic')()).hours[0];
  await expect.poll(traffic, { timeout: 10_000 }).toEqual({ calls: 1, faults: 1, fault_fleet: 1, gone: 6 });
});

describe('a caller that reads lines from another Worker', () => {
  it.each([0, 15, 40])('pays for all but ten of the lines that it read: at least %i of 100', async (least) => {
    const customer = await edge.customer(100);
    const emails = Array.from({ length: 100 }, (_, n) => `a${n}@good.test`);
    const headers = { accept: 'application/x-ndjson', 'x-testing-read': String(least) };
    const read = Number(await (await edge.verify(customer.key, emails, headers)).json());
    expect(read).toBeGreaterThanOrEqual(least);
    const charged = 100 - (await edge.settled(customer.accountId)).balance;
    expect(charged).toBeLessThanOrEqual(read);
    expect(charged).toBeGreaterThanOrEqual(read - 10);
  });

  it('pays once for an address whose lines are written separately', async () => {
    const customer = await edge.customer(10);
    const emails = [...Array.from({ length: 35 }, () => 'same@good.test'), 'other@good.test'];
    const answer = await edge.verify(customer.key, emails, { accept: 'application/x-ndjson' });
    expect((await answer.text()).trim().split('\n').at(-1)).toBe('{"done":true,"charged":2,"returned":0}');
    expect((await edge.settled(customer.accountId)).balance).toBe(8);
  });
});

describe('a caller that closes the connection, as a browser does with a page that is left', () => {
  it('before the answer gets a full refund: the check of a form, which is free for its day, too', async () => {
    const { accountId, ask } = await newForm(edge, { creditsPerDay: 1 });
    const before = await fleetSeen();
    const page = new AbortController();
    const left = ask('a@late.test', { signal: page.signal }).catch(() => null);
    await expect.poll(async () => (await fleetSeen()).dispatched).toBe(before.dispatched + 1);
    page.abort();
    await left;
    expect((await edge.settled(accountId)).balance).toBe(100);
    await expect.poll(async () => (await ask('a@good.test')).status).toBe(200);
  });

  it('for writing alone still gets its answer, and pays for it', async () => {
    const customer = await edge.customer(10);
    const socket = await send(customer, JSON.stringify({ emails: ['a@late.test'] }));
    let read = '';
    socket.on('data', (chunk) => (read += chunk.toString()));
    socket.end();
    await expect.poll(() => read).toMatch(/content-length: \d+[^]*"status":"valid"[^]*\]$/i);
    expect((await edge.settled(customer.accountId)).balance).toBe(9);
  });
});

describe('a caller that resets the connection', () => {
  it('during probing gets a full refund, and the job is cancelled', async () => {
    const customer = await edge.customer(10);
    const { socket, before } = await beginSilent(customer);
    socket.resetAndDestroy();
    expect(await edge.settled(customer.accountId)).toEqual(REFUNDED);
    await expect.poll(async () => (await fleetSeen()).cancelled).toBe(before.cancelled + 1);
  });

  it('gets a full refund even if D1 fails at first: the work continues without it', async () => {
    const customer = await edge.customer(10);
    const { socket } = await beginSilent(customer);
    await edge.fail({ d1Before: 2 });
    socket.resetAndDestroy();
    expect(await edge.settled(customer.accountId)).toEqual(REFUNDED);
  });

  it('before the body ended was never charged', async () => {
    const customer = await edge.customer(10);
    const socket = await send(customer, '{"emails":["a@good.test"', [], 500);
    socket.resetAndDestroy();
    // A later request has been through every step that the first could have taken.
    expect((await edge.verify(customer.key, ['a@good.test'])).status).toBe(200);
    await edge.settled(customer.accountId);
    expect(await holds(customer)).toBe(1);
  });

  it('at any moment pays for the whole batch or for nothing', async () => {
    const customer = await edge.customer(1_000);
    const body = JSON.stringify({ emails: ['a@good.test', 'b@dead.test'] });
    for (let i = 0; i < 25; i += 1) {
      const socket = await send(customer, body);
      await new Promise((wake) => setTimeout(wake, i / 4));
      socket.resetAndDestroy();
    }
    expect((await edge.verify(customer.key, ['a@good.test'])).status).toBe(200);
    await expect
      .poll(async () => {
        const { balance, rows } = await edge.settled(customer.accountId);
        const held = rows.filter(([kind]) => kind === 'hold').length;
        const back = rows.filter(([kind]) => kind === 'return');
        expect(back.every(([, credits]) => credits === 2)).toBe(true);
        return balance - (1_000 - 1 - 2 * (held - 1 - back.length));
      })
      .toBe(0);
  });

  it('in the middle of lines pays for the elements that were written', async () => {
    const customer = await edge.customer(10);
    const socket = await send(customer, silent, ['Accept: application/x-ndjson']);
    let read = '';
    socket.on('data', (chunk) => {
      read += chunk.toString();
    });
    await expect.poll(() => read).toContain('"index":2');
    socket.resetAndDestroy();
    expect(await edge.settled(customer.accountId)).toEqual({
      balance: 8,
      rows: [
        ['hold', -3],
        ['return', 1],
      ],
    });
  });
});

describe('a batch at its deadline', () => {
  const soon = withVars({ RATE_LIMIT: '0', BATCH_DEADLINE_S: '5' });

  it('is answered with what is known, and the rest is refunded, in lines too', async () => {
    const [whole, lines] = [await edge.customer(10), await edge.customer(10)];
    const emails = ['a@good.test', 'b@silent.test'];
    const [array, ndjson] = await Promise.all([
      edge.verify(whole.key, emails, soon),
      edge.verify(lines.key, emails, { ...soon, accept: 'application/x-ndjson' }),
    ]);
    expect(await array.json()).toMatchObject([{ result: 'deliverable' }, { result: 'unknown', reason: 'timeout' }]);
    const read = (await ndjson.text())
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(read).toMatchObject([
      { index: 0, result: 'deliverable' },
      { index: 1, result: 'unknown', reason: 'timeout' },
      { done: true, charged: 1, returned: 1 },
    ]);
    for (const { accountId } of [whole, lines])
      expect(await edge.settled(accountId)).toEqual({
        balance: 9,
        rows: [
          ['hold', -2],
          ['return', 1],
        ],
      });
  }, 15_000);
});
