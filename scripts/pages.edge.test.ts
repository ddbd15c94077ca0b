import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../edge/testing/browser.ts';
import { WORLD } from './sandbox/world.ts';
import { newStateFolder, type RunningService, startRunningService } from './testing/running-service.ts';
import { visitorOf } from './testing/visitor.ts';

// What a customer finds at `npm start`: pages, a mailed link, keys, a purchase.

let state: string;
let service: RunningService;
beforeAll(async () => {
  state = await newStateFolder();
  service = await startRunningService(state, ['--var', 'RATE_LIMIT=0']);
});
afterAll(async () => {
  await service.stop();
  await rm(state, { recursive: true, force: true });
});

async function newCustomer(name: string): Promise<Browser> {
  const customer = visitorOf(service);
  await customer.signIn(`${name}@people.example`);
  return customer;
}

async function makeKey(customer: Browser, kind: 'live' | 'test'): Promise<string> {
  return Object((await customer.ask('POST', 'keys', { kind, label: kind })).body).key;
}

async function verify(key: string, emails: readonly unknown[]): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}` };
  const body = JSON.stringify({ emails });
  return (await fetch(new URL('/api/v1/verify', service.ready.url), { method: 'POST', headers, body })).json();
}

async function credits(customer: Browser): Promise<number> {
  return Object((await customer.ask('GET', 'balance')).body).credits;
}

/** As a browser does that goes there. */
function visit(path: string): Promise<Response> {
  return fetch(new URL(path, service.ready.url), { headers: { accept: 'text/html,application/xhtml+xml' } });
}

test('the pages are served with a strict policy, wherever a browser goes, and the Worker answers its own paths', async () => {
  for (const path of ['/', '/sign-in', '/invitation', '/operators', '/balance?order=x']) {
    const page = await visit(path);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'; require-trusted-types-for 'script'");
    expect(policy).not.toContain('unsafe');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
  }
  expect((await visit('/health')).headers.get('content-type')).toBe('application/json');
  // Link previews and uptime monitors do not ask for HTML.
  for (const path of ['/', '/docs'])
    for (const method of ['GET', 'HEAD']) {
      const page = await fetch(new URL(path, service.ready.url), { method });
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    }
  // Elsewhere a program is told that there is nothing.
  for (const [method, path] of [
    ['GET', '/sign-in'],
    ['POST', '/'],
  ] as const) {
    const answer = await fetch(new URL(path, service.ready.url), { method });
    expect([answer.status, await answer.json()]).toEqual([404, { error: expect.any(String) }]);
  }
});

test('a test key answers what the service answers, field by field, also about everyone else of a domain', async () => {
  const quick = WORLD.filter((row) => row.takesS === 0).map((row) => row.address);
  const others = [
    'zoe@deliverable.test',
    'zoe@catchall.test',
    'zoe@blocked.test',
    'Zoe@Backup-MX.test',
    7,
    'no address',
  ];
  const emails = [...quick, ...others];
  const customer = await newCustomer('tester');
  const [liveKey, testKey] = [await makeKey(customer, 'live'), await makeKey(customer, 'test')];
  expect(await verify(testKey, emails)).toEqual(await verify(liveKey, emails));
});

test('the demo account is there after signing in by the address that is shown', async () => {
  const demo = visitorOf(service);
  await demo.signIn('demo@rcpt.test');
  expect((await demo.ask('GET', 'me')).body).toMatchObject({ account: { id: service.ready.accountId, role: 'owner' } });
});

test('credits are bought on the sandbox’s payment page, and are there when the customer comes back', async () => {
  const customer = await newCustomer('buyer');
  const before = await credits(customer);
  const { url, id } = Object((await customer.ask('POST', 'orders', { pack: 'small' })).body);
  const page = await fetch(url);
  expect(await page.text()).toContain('10,000 verification credits');
  const body = new URLSearchParams({ do: 'pay' });
  const paid = await fetch(url, { method: 'POST', body, redirect: 'manual' });
  expect([paid.status, paid.headers.get('location')]).toEqual([303, `${service.ready.url}/balance?order=${id}`]);
  expect((await customer.ask('GET', `orders/${id}`)).body).toMatchObject({ state: 'paid' });
  expect(await credits(customer)).toBe(before + 10_000);
});
