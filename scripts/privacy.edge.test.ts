import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ZONES } from './sandbox/domains.ts';
import { CANARIES } from './sandbox/sandbox.ts';
import { WORLD } from './sandbox/world.ts';
import { callerOf } from './testing/caller.ts';
import { newStateFolder, startRunningService, type RunningService } from './testing/running-service.ts';
import { holds, readAllFiles } from './testing/search-bytes.ts';

// Nobody's address, its domain or an API key is anywhere in what a full run leaves behind: its state folder, its
// temporary files, and what the service and its hosts said. Every way for an address to get in is tried.

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

/** Requests that are refused, each with an address in it. */
async function postBroken(url: string, key: string): Promise<void> {
  const address = `${marker}@${markedDomain}`;
  const post = (path: string, body: string, bearer = key) =>
    fetch(new URL(path, url), { method: 'POST', headers: { authorization: `Bearer ${bearer}` }, body });
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
  /** What the host measured of it. */
  let metrics = '';
  /** What the run left, by file; its two streams too. */
  let left: ReadonlyMap<string, Buffer>;

  beforeAll(async () => {
    state = await newStateFolder();
    const temp = join(state, 'tmp');
    await mkdir(temp);
    service = await startRunningService(state, ['--var', 'RATE_LIMIT=20'], 'node', {
      TMPDIR: temp,
      METRICS_PORT: '0',
    });
    await useIt();
    expect(await service.stop()).toBe(0);
    left = new Map([
      ...(await readAllFiles(state)),
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

    const jobs = async () => (await operator.listHosts()).hosts.map((host) => host.jobs);
    // The caller goes away while its address is probed.
    const gone = postSlow(ready.url, key);
    await vi.waitFor(async () => expect(await jobs()).toEqual([1]), WAIT);
    gone.socket?.resetAndDestroy();
    await vi.waitFor(() => expect(service.err()).toContain('"callerGone":true'), WAIT);
    const port = /"metricsPort":(\d+)/.exec(service.err())?.[1] ?? '';
    metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    // The host dies while an address is probed.
    const lost = postSlow(ready.url, key);
    await vi.waitFor(async () => expect(await jobs()).toEqual([1]), WAIT);
    process.kill(ready.hosts[0]?.pid ?? -1, 'SIGKILL');
    await vi.waitFor(() => expect(service.err()).toContain('ended by SIGKILL'), WAIT);
    lost.destroy();
    await operator.deleteKey(KEY_ID);
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

  test('leaves no part of a key that could be used', () => {
    expect(secret.length).toBe(38);
    for (let at = 0; at + 12 <= secret.length; at += 4) expect(holding(secret.slice(at, at + 12))).toEqual([]);
  });
});
