import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publicHalf } from '../../schema/jwk.ts';
import { makeKey } from '../../schema/testing/make-key.ts';
import { type AdminEdge, startAdminEdge } from '../testing/admin.ts';

let edge: AdminEdge;
beforeAll(async () => {
  edge = await startAdminEdge({ FLEET_SHARDS: '2' });
});
afterAll(() => edge.stop());

async function add(id: string) {
  const publicKey = publicHalf(makeKey());
  return { publicKey, answer: await edge.call('PUT', `/admin/v1/hosts/${id}`, { publicKey }) };
}

async function told() {
  return [await edge.told(0), await edge.told(1)];
}

describe('hosts', () => {
  test('are enrolled with their public key and receive all keys of the edge', async () => {
    const { publicKey, answer } = await add('fra-1');
    expect(answer).toMatchObject({ status: 201 });
    expect(answer.body).toEqual({ id: 'fra-1', state: 'active', shards: 2, edgeKeys: edge.edgeKeys });
    const [row] = await edge.rows<{ public_key: string }>('SELECT public_key FROM hosts WHERE id = ?', 'fra-1');
    expect(JSON.parse(row?.public_key ?? '')).toEqual(publicKey);
    expect(await edge.call('PUT', '/admin/v1/hosts/fra-1', { publicKey })).toMatchObject({ status: 200 });
    expect((await add('fra-1')).answer).toMatchObject({ status: 409 });
  });

  test('are refused with a private key instead of a public one, which is not stored', async () => {
    const pair = makeKey();
    expect(await edge.call('PUT', '/admin/v1/hosts/leaky', { publicKey: pair })).toMatchObject({ status: 400 });
    expect(JSON.stringify(await edge.rows('SELECT * FROM hosts'))).not.toContain(pair.d);
  });

  test('drain, resume and are removed, and every Fleet object is told at once', async () => {
    const { publicKey } = await add('fra-2');
    await told();
    const state = '/admin/v1/hosts/fra-2/state';
    expect(await edge.call('PUT', state, { state: 'draining' })).toMatchObject({ body: { state: 'draining' } });
    expect(await told()).toEqual([['fra-2 draining'], ['fra-2 draining']]);
    expect(await edge.call('PUT', state, { state: 'active' })).toMatchObject({ status: 200 });
    expect(await told()).toEqual([['fra-2 active'], ['fra-2 active']]);
    expect(await edge.call('DELETE', '/admin/v1/hosts/fra-2')).toMatchObject({ body: { state: 'removed' } });
    expect(await told()).toEqual([['fra-2 removed'], ['fra-2 removed']]);
    expect(await edge.call('PUT', state, { state: 'active' })).toMatchObject({ status: 409 });
    expect(await edge.call('PUT', '/admin/v1/hosts/fra-2', { publicKey })).toMatchObject({ status: 409 });
    expect((await add('fra-2')).answer).toMatchObject({ status: 201 });
    expect(await told()).toEqual([['fra-2 active'], ['fra-2 active']]);
  });

  test('cannot be changed if unknown', async () => {
    expect(await edge.call('PUT', '/admin/v1/hosts/none/state', { state: 'active' })).toMatchObject({ status: 404 });
    expect(await edge.call('DELETE', '/admin/v1/hosts/none')).toMatchObject({ status: 404 });
    expect(await edge.call('PUT', '/admin/v1/hosts/none/state', { state: 'removed' })).toMatchObject({ status: 400 });
  });

  test('are listed with their processes and, if away, with what is remembered of them', async () => {
    await add('fra-6');
    await add('fra-7');
    const process = {
      version: '1.2.3',
      egress: ['192.0.2.1'],
      startedAtMs: 1_000,
      heardAtMs: 5_000,
      cooling: 1,
      reachedAtMs: null,
      refusals: [],
      egressTroubles: [],
    };
    const state = { draining: false, healthy: true, jobs: 3 };
    await edge.script({
      hosts: [{ id: 'fra-6', instances: 1, ...state, processes: [{ ...process, ...state }] }],
      remembered: [{ id: 'fra-7', seenAtMs: 7_000, refusal: { atMs: 8_000, why: 'it was removed' } }],
    });
    expect((await edge.call('GET', '/admin/v1/hosts')).body).toMatchObject({
      hosts: expect.arrayContaining([
        expect.objectContaining({
          id: 'fra-6',
          lastSeen: '1970-01-01T00:00:05.000Z',
          lastRefusal: null,
          processes: [
            {
              version: '1.2.3',
              egress: ['192.0.2.1'],
              startedAt: '1970-01-01T00:00:01.000Z',
              seenAt: '1970-01-01T00:00:05.000Z',
              cooling: 1,
              reachedAt: null,
              refusals: [],
              egressTroubles: [],
              ...state,
            },
          ],
        }),
        expect.objectContaining({
          id: 'fra-7',
          processes: [],
          lastSeen: '1970-01-01T00:00:07.000Z',
          lastRefusal: { at: '1970-01-01T00:00:08.000Z', why: 'it was removed' },
        }),
      ]),
    });
    await edge.script({});
  });

  test('are stored while the fleet is unreachable, and the operator is told to repeat', async () => {
    await add('fra-5');
    await told();
    await edge.script({ deaf: true });
    try {
      const answer = await edge.call('DELETE', '/admin/v1/hosts/fra-5');
      expect(answer).toMatchObject({
        status: 503,
        body: { error: expect.stringMatching(/^Stored, but 2 of 2 .*repeat/) },
      });
      expect((await edge.call('GET', '/admin/v1/hosts')).body).toMatchObject({
        hosts: expect.arrayContaining([
          expect.objectContaining({ id: 'fra-5', state: 'removed', instances: null, healthy: null, jobs: null }),
        ]),
      });
    } finally {
      await edge.script({});
    }
    expect(await edge.call('DELETE', '/admin/v1/hosts/fra-5')).toMatchObject({ status: 200 });
    expect(await edge.told(1)).toEqual(['fra-5 removed']);
  });
});
