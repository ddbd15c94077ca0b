import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inIsolate, startEdge, withVars, type Customer, type Edge } from './testing/edge.ts';

// Refunded credits are available to the caller's next call, in the isolate that gave the answer and in any other.

let edge: Edge;
beforeAll(async () => {
  edge = await startEdge({ RATE_LIMIT: '0' });
});
afterAll(() => edge.stop());

const free = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `a${i}@policy.test`);
const elsewhere = inIsolate('elsewhere');

/** An account whose ten credits were just returned by one answer. */
async function refunded(headers: Readonly<Record<string, string>> = {}): Promise<Customer> {
  const customer = await edge.customer(10);
  const answer = await edge.verify(customer.key, free(10), headers);
  expect(answer.status).toBe(200);
  await answer.text();
  return customer;
}

async function creditsOf({ key }: Customer, headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const answer = await fetch(new URL('/api/v1/credits', edge.url), {
    headers: { authorization: `Bearer ${key}`, ...headers },
  });
  return answer.json();
}

/** An account whose credits are all held by a running batch. */
async function busy(credits: number): Promise<{ readonly customer: Customer; readonly done: Promise<Response> }> {
  // Pending settlements of an earlier batch would count among the trips.
  await edge.quiet();
  const customer = await edge.customer(credits);
  const soon = withVars({ RATE_LIMIT: '0', BATCH_DEADLINE_S: '5' });
  const emails = Array.from({ length: credits }, (_, i) => `a${i}@silent.test`);
  const done = edge.verify(customer.key, [...emails.slice(1), 'a@good.test'], { ...soon });
  await expect.poll(async () => (await edge.money(customer.accountId)).rows).toHaveLength(1);
  return { customer, done };
}

describe('the next call in the isolate that answered', () => {
  it.each([
    ['an array', {}],
    ['lines', { accept: 'application/x-ndjson' }],
  ])('can spend what an answer as %s returned', async (_form, headers) => {
    const { key, accountId } = await refunded(headers);
    expect((await edge.verify(key, free(10))).status).toBe(200);
    expect((await edge.settled(accountId)).balance).toBe(10);
  });

  it('sees the refund in the balance', async () => {
    expect(await creditsOf(await refunded())).toEqual({ credits: 10 });
    expect(await creditsOf(await refunded({ accept: 'application/x-ndjson' }))).toEqual({ credits: 10 });
  });

  it.each([
    ['verify', async ({ key }: Customer) => (await edge.verify(key, free(10))).status, 200],
    ['GET credits', (customer: Customer) => creditsOf(customer), { credits: 10 }],
  ])('finds the refund with %s although D1 loses the settlement three times', async (_what, call, expected) => {
    // Pending settlements of an earlier case would be hit by these faults.
    await edge.quiet();
    await edge.fail({ settlements: 3 });
    const customer = await refunded();
    expect(await call(customer)).toEqual(expected);
  });
});

describe('the next call in another isolate', () => {
  it('is served from the refund', async () => {
    const { key, accountId } = await refunded();
    expect((await edge.verify(key, free(10), elsewhere)).status).toBe(200);
    expect((await edge.settled(accountId)).balance).toBe(10);
  });

  it('soon sees the refund in the balance', async () => {
    const customer = await refunded();
    await expect.poll(() => creditsOf(customer, elsewhere)).toEqual({ credits: 10 });
  });
});

describe('402', () => {
  it('is sent at once, in two trips to D1, if no open batch could return credits', async () => {
    const { key } = await edge.customer(3);
    await edge.quiet();
    const answer = await edge.verify(key, free(4));
    expect([answer.status, await answer.json()]).toMatchObject([
      402,
      { error: 'This request needs 4 credits; 3 remain.' },
    ]);
    expect(await edge.calls()).toMatchObject({ d1: 2 });
  });

  it('is sent at once, in two trips to D1, if all open batches would not be enough', async () => {
    const { customer, done } = await busy(3);
    await fetch(new URL('/testing/calls', edge.url));
    expect((await edge.verify(customer.key, free(4))).status).toBe(402);
    expect(await edge.calls()).toMatchObject({ d1: 2 });
    await done;
  });

  it('is sent after five trips to D1 if an open batch could be enough', async () => {
    const { customer, done } = await busy(3);
    await fetch(new URL('/testing/calls', edge.url));
    const answer = await edge.verify(customer.key, free(3), elsewhere);
    expect([answer.status, await answer.json()]).toMatchObject([
      402,
      { error: 'This request needs 3 credits; 0 remain.' },
    ]);
    expect(await edge.calls()).toMatchObject({ d1: 5 });
    await done;
  });

  it('reports what remains at that moment, not when the call arrived', async () => {
    const { key, accountId } = await edge.customer(10);
    const answered = await edge.verify(key, [...free(5), ...Array.from({ length: 5 }, (_, i) => `b${i}@good.test`)]);
    await answered.text();
    const answer = await edge.verify(key, free(6));
    expect([answer.status, await answer.json()]).toMatchObject([
      402,
      { error: 'This request needs 6 credits; 5 remain.' },
    ]);
    expect((await edge.settled(accountId)).balance).toBe(5);
  });
});
