import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { freePort } from './local/port.ts';
import { ZONES } from './sandbox/domains.ts';
import { CANARIES } from './sandbox/sandbox.ts';
import { WORLD } from './sandbox/world.ts';
import { callerOf } from './testing/caller.ts';
import { newStateFolder, startRunningService, type RunningService } from './testing/running-service.ts';
import { visitorOf } from './testing/visitor.ts';
import { holds, readWritten } from './testing/search-bytes.ts';

// No probed address, its domain or an API key is anywhere in what a full run leaves behind: its state folder, its
// temporary files, and what the service and its hosts said. Every way for an address to get in is tried. The address by
// which somebody signs in is in the database, and in the mail that was shown, and nowhere else.

const marker = `q${randomBytes(6).toString('hex')}`;
/** A domain that does not exist; the sandbox answers for it. */
const markedDomain = `${marker}.test`;

/** The sandbox's addresses whose answer takes no waiting, `anyone` with the marker in its place. */
const addresses = WORLD.filter(({ takesS }) => takesS === 0).map(({ address }) =>
  address.replace(/^anyone@/, `${marker}@`),
);
const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1);
/** Zones and canaries that hosts are told of by name are settings, and say nothing of what was probed. */
const settings = new Set<string>([...ZONES, ...CANARIES.name.split(',')]);
const domains = [...new Set(addresses.map(domainOf))].filter((domain) => !settings.has(domain));
const SLOW = `${marker}@silent.test`;
const RUN_MS = 60_000;
const WAIT = { timeout: 10_000, interval: 50 };
const KEY_ID = 'key_privacytest';
/** Of somebody who signs in. */
const person = `p${randomBytes(6).toString('hex')}`;

/** Requests that are refused, each with an address in it. */
async function postBroken(url: string, key: string): Promise<void> {
  const address = `${marker}@${markedDomain}`;
  const post = (path: string, body: string, bearer = key) =>
    fetch(new URL(path, url), {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'idempotency-key': address },
      body,
    });
  const entries = JSON.stringify({ emails: [{ address }, [address], null] });
  const answers = await Promise.all([
    post('/api/v1/verify', `{"emails":["${address}"`),
    post('/api/v1/verify', JSON.stringify({ emails: address })),
    post('/api/v1/verify', JSON.stringify({ emails: Array(501).fill(address) })),
    post('/api/v1/verify', JSON.stringify({ emails: [address.padEnd(60_000, 'x')] })),
    post('/api/v1/verify', entries),
    post('/api/v1/verify', entries, `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`),
    post(`/api/v1/verify/${address}?email=${address}`, entries),
    fetch(new URL(`/api/v1/verify?email=${address}`, url), { headers: { authorization: `Bearer ${key}` } }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 413, 200, 401, 404, 405]);
}

/** Begins a batch that lasts half a minute. */
function postSlow(url: string, key: string) {
  const headers = { authorization: `Bearer ${key}` };
  const call = request(new URL('/api/v1/verify', url), { method: 'POST', headers });
  call.on('error', () => {});
  call.end(JSON.stringify({ emails: [SLOW] }));
  return call;
}

describe('a full run', () => {
  let state = '';
  let service: RunningService;
  /** Of a second key, which no file of the local service keeps. */
  let secret = '';
  /** What a browser held: its session, and the keys that it got. */
  let held: readonly string[];
  /** What the host measured of it. */
  let metrics = '';
  /** What the run left, by file; its two streams too. */
  let left: ReadonlyMap<string, Buffer>;

  beforeAll(async () => {
    state = await newStateFolder();
    const temp = join(state, 'tmp');
    await mkdir(temp);
    const metricsPort = await freePort();
    service = await startRunningService(state, ['--var', 'RATE_LIMIT=20'], 'node', {
      TMPDIR: temp,
      METRICS_PORT: String(metricsPort),
    });
    await useIt();
    expect(await service.stop()).toBe(0);
    left = new Map([
      ...(await readWritten(state)),
      ['standard output', Buffer.from(service.out())],
      ['standard error', Buffer.from(service.err())],
      ['metrics', Buffer.from(metrics)],
    ]);
  }, RUN_MS);
  afterAll(() => rm(state, { recursive: true, force: true }));

  async function useIt(): Promise<void> {
    const { ready } = service;
    const { operator } = await callerOf(ready);
    const { key } = await operator.createKey(KEY_ID, ready.accountId, 'privacy');
    secret = key.slice(ready.apiKey.lastIndexOf('_') + 1);
    const caller = await callerOf({ ...ready, apiKey: key });
    const marked = `${marker}@deliverable.test`;
    await caller.verify([...addresses, marked, `anyone@${markedDomain}`, `${marker}@@${markedDomain}`]);
    await postBroken(ready.url, key);
    held = await usePages();

    const jobs = async () => (await operator.listHosts()).hosts.map((host) => host.jobs);
    // The caller goes away while its address is probed.
    const gone = postSlow(ready.url, key);
    await vi.waitFor(async () => expect(await jobs()).toEqual([1]), WAIT);
    gone.socket?.resetAndDestroy();
    await vi.waitFor(() => expect(service.err()).toContain('"callerGone":true'), WAIT);
    const port = /"metricsPort":(\d+)/.exec(service.err())?.[1] ?? '';
    const page = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
    metrics = await page('/metrics');
    // The host dies while an address is probed.
    const lost = postSlow(ready.url, key);
    await vi.waitFor(async () => expect(await jobs()).toEqual([1]), WAIT);
    process.kill(ready.hosts[0]?.pid ?? -1, 'SIGKILL');
    await vi.waitFor(() => expect(service.err()).toContain('exited on SIGKILL'), WAIT);
    lost.destroy();
    await operator.deleteKey(KEY_ID);
  }

  /** Signs in, makes keys of every kind, verifies with each, and reads everything about it. */
  async function usePages(): Promise<readonly string[]> {
    const browser = visitorOf(service);
    await browser.signIn(`${person}@${person}.example`);
    const keys: string[] = [];
    for (const [path, body] of [
      ['keys', { kind: 'live', label: 'live' }],
      ['keys', { kind: 'test', label: 'test' }],
      ['page-key', {}],
    ] as const) {
      const { key: made } = Object((await browser.ask('POST', path, body)).body);
      await (await callerOf({ ...service.ready, apiKey: made })).verify([...addresses, `${marker}@deliverable.test`]);
      keys.push(made.slice(made.lastIndexOf('_') + 1));
    }
    for (const path of ['statement', 'usage', 'balance', 'requests', 'keys', 'sessions', 'people', 'me/export'])
      expect((await browser.ask('GET', path)).status).toBe(200);
    expect((await browser.ask('POST', 'sign-in', { email: `${marker}@@x` })).status).toBe(400);
    return [...keys, browser.cookie?.split('=')[1] ?? ''];
  }

  const holding = (text: string) => [...left].filter(([, bytes]) => holds(bytes, text)).map(([name]) => name);

  test('leaves what a search can find: the database, and the log of the edge and of a host', () => {
    const places = holding(service.ready.accountId);
    expect(places).toContainEqual(expect.stringMatching(/\/d1\/.*\.sqlite/));
    expect(places).toContain('standard error');
    expect(holding('"event":"linked"')).toEqual(['standard error']);
    expect(metrics).toMatch(/^rcpt_outcomes_total\{provider="other",outcome="accepted"\} [1-9]/m);
    expect(metrics).toMatch(/^rcpt_dns_total\{type="mx",result="nxdomain"\} [1-9]/m);
  });

  test('leaves no address and no domain', () => {
    expect(holding(marker)).toEqual([]);
    expect(domains.filter((domain) => holding(domain).length > 0)).toEqual([]);
  });

  test('leaves no hash of an address or a domain', () => {
    expect([...addresses, SLOW, markedDomain].filter((text) => holding(text).length > 0)).toEqual([]);
  });

  test('leaves the address of somebody who signed in to the database, and to the mail that it showed', () => {
    const places = holding(person);
    expect(places).toContainEqual(expect.stringMatching(/\/d1\/.*\.sqlite/));
    expect(places.filter((place) => !/\/d1\/.*\.sqlite/.test(place))).toEqual(['standard output']);
  });

  test('leaves no part of a key or a session that could be used', () => {
    expect([secret, ...held].map(({ length }) => length)).toEqual([38, 38, 38, 38, 43]);
    for (const text of [secret, ...held])
      for (let at = 0; at + 12 <= text.length; at += 4) expect(holding(text.slice(at, at + 12))).toEqual([]);
  });
});
