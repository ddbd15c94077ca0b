import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AdminEdge, startAdminEdge } from './testing/admin.ts';

let edge: AdminEdge;
beforeAll(async () => {
  edge = await startAdminEdge({ FLEET_SHARDS: '2' });
});
afterAll(() => edge.stop());

const health = () => edge.send('GET', '/health', null);
const host = { id: 'fra-1', instances: 1, draining: false, healthy: true, jobs: 0 };

describe('GET /health', () => {
  test('is 200 with D1 in reach and a host that takes work, and needs no key', async () => {
    await edge.script({ hosts: [host, { ...host, id: 'fra-2', draining: true }] });
    expect(await health()).toMatchObject({ status: 200, body: { d1: true, hosts: 2, ready: 1 } });
    expect((await edge.send('HEAD', '/health', null)).status).toBe(200);
  });

  test.each<[string, object, object]>([
    ['no host', {}, { d1: true, hosts: 0, ready: 0 }],
    ['a draining host alone', { hosts: [{ ...host, draining: true }] }, { d1: true, hosts: 1, ready: 0 }],
    ['a sick host alone', { hosts: [{ ...host, healthy: false }] }, { d1: true, hosts: 1, ready: 0 }],
    ['Fleet objects that do not answer', { hosts: [host], deaf: true }, { d1: true, hosts: 0, ready: 0 }],
    ['D1 out of reach', { hosts: [host], d1Fails: true }, { d1: false, hosts: 1, ready: 1 }],
  ])('is 503 with %s', async (_what, script, body) => {
    await edge.script(script);
    const answer = await health();
    expect(answer.status).toBe(503);
    expect(answer.body).toEqual(body);
  });

  test('knows no other method', async () => {
    const answer = await edge.send('POST', '/health', null);
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
  });
});
