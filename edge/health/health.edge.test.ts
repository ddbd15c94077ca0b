import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type AdminEdge, startAdminEdge } from '../testing/admin.ts';

let edge: AdminEdge;
beforeAll(async () => {
  edge = await startAdminEdge({ FLEET_SHARDS: '2' });
});
afterAll(() => edge.stop());

const health = () => edge.send('GET', '/health', null);
const from = (address: string, path = '/health'): Promise<Response> =>
  fetch(edge.origin + path, { headers: { 'cf-connecting-ip': address } });
const host = { id: 'fra-1', instances: 1, draining: false, healthy: true, jobs: 0 };

describe('GET /health', () => {
  test('is 200 if D1 is reachable and a host takes work, without a key', async () => {
    await edge.script({ hosts: [host, { ...host, id: 'fra-2', draining: true }] });
    expect(await health()).toMatchObject({ status: 200, body: { d1: true, hosts: 2, ready: 1, problems: [] } });
    expect((await edge.send('HEAD', '/health', null)).status).toBe(200);
  });

  test.each<[string, object, object]>([
    ['no host', {}, { d1: true, hosts: 0, ready: 0, problems: ['no host is connected'] }],
    [
      'a draining host alone',
      { hosts: [{ ...host, draining: true }] },
      { d1: true, hosts: 1, ready: 0, problems: ['no connected host takes new batches'] },
    ],
    [
      'a sick host alone',
      { hosts: [{ ...host, healthy: false }] },
      { d1: true, hosts: 1, ready: 0, problems: ['no connected host takes new batches'] },
    ],
    [
      'Fleet objects that do not answer',
      { hosts: [host], deaf: true },
      { d1: true, hosts: 0, ready: 0, problems: ['2 of 2 Fleet objects do not answer'] },
    ],
    [
      'D1 out of reach',
      { hosts: [host], d1Fails: true },
      { d1: false, hosts: 1, ready: 1, problems: ['the database does not answer'] },
    ],
    [
      'a key that hosts do not know',
      { hosts: [host], outcomes: { refused_token: 2, served: 1 } },
      {
        d1: true,
        hosts: 1,
        ready: 1,
        // Both objects.
        problems: ["hosts refuse the edge's jobs: token (4 of 6 verifications failed in the last 5 minutes)"],
      },
    ],
  ])('is 503 with %s, and names the reason', async (_what, script, body) => {
    await edge.script(script);
    const answer = await health();
    expect(answer.status).toBe(503);
    // The cron has never run here.
    expect(answer.body).toEqual({ ...body, cronAgeS: null });
  });

  test('reports how long ago the cron completed its last run', async () => {
    await edge.rows("INSERT INTO heartbeat VALUES (1, CAST(unixepoch('subsec') * 1000 AS INTEGER) - 90000)");
    await edge.script({ hosts: [host] });
    const { cronAgeS } = z.object({ cronAgeS: z.number() }).parse((await health()).body);
    expect(cronAgeS).toBeGreaterThanOrEqual(90);
    expect(cronAgeS).toBeLessThan(120);
    await edge.rows('DELETE FROM heartbeat');
  });

  test('allows GET and HEAD only', async () => {
    const answer = await edge.send('POST', '/health', null);
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
  });

  test('costs D1 one read a second under a flood, and is never older than that', async () => {
    const statements = async (): Promise<unknown> => (await fetch(`${edge.origin}/testing/statements`)).json();
    await edge.script({ hosts: [host] });
    await statements();
    const startedMs = Date.now();
    const flood = await Promise.all(Array.from({ length: 500 }, (_, n) => from(`198.51.100.${n % 250}`)));
    expect(new Set(flood.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await statements()).toBeLessThanOrEqual(1 + (Date.now() - startedMs) / 1_000);
    await edge.script({ d1Fails: true, sameIsolate: true });
    await expect
      .poll(async () => (await health()).body, { timeout: 5_000 })
      .toMatchObject({ d1: false, hosts: 0, ready: 0 });
  });

  test('is 429 for a network that polls without end and for no other; its 401s are counted separately', async () => {
    await edge.script({ hosts: [host] });
    const ask = () => Promise.all(Array.from({ length: 200 }, async () => (await from('192.0.2.1')).status));
    expect(new Set(await ask())).toEqual(new Set([200]));
    await expect.poll(async () => (await ask()).includes(429), { timeout: 80_000, interval: 1 }).toBe(true);
    const refused = await from('192.0.2.1');
    expect([refused.status, await refused.json()]).toEqual([429, { error: expect.any(String), code: 'RATE_LIMITED' }]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await from('192.0.2.2')).status).toBe(200);
    expect((await from('192.0.2.1', '/api/v1/credits')).status).toBe(401);
  }, 100_000);
});
