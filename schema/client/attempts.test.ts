import { describe, expect, test } from 'vitest';
import type { Attempt } from './index.ts';
import {
  addresses,
  clientOf,
  collect,
  failureResponse,
  linesResponse,
  ScriptedService,
} from './testing/scripted-service.ts';

/** A client of a service that names each request, and what it told of them. */
function watched(service: ScriptedService) {
  const told: Attempt[] = [];
  let requests = 0;
  const fetch: typeof globalThis.fetch = async (...asked) => {
    const nth = (requests += 1);
    const response = await service.fetch(...asked);
    response.headers.set('rcpt-request-id', `r-${nth}`);
    return response;
  };
  const client = clientOf(service, { fetch, onAttempt: (attempt) => void told.push(attempt) });
  return { client, told, seen: () => told.map(({ ms: _ms, ...attempt }) => attempt) };
}

const fails = (): void => {
  throw new Error('the log is full');
};
const verifying = (attempt: number, status: number | null, id: number | null) => ({
  path: '/api/v1/verify',
  attempt,
  status,
  requestId: id === null ? null : `r-${id}`,
});

describe('each request', () => {
  test('is told of once it has ended, repeats with their number, and nothing of what it asked', async () => {
    const service = new ScriptedService();
    service.answers = (_, nth) => (nth === 0 ? failureResponse(503, null) : null);
    const { client, told, seen } = watched(service);
    expect(client.lastResponse).toBeNull();
    await client.verify(addresses(3));
    expect(seen()).toEqual([verifying(1, 503, 1), verifying(2, 200, 2)]);
    await client.credits();
    expect(seen().at(-1)).toEqual({ path: '/api/v1/credits', attempt: 1, status: 200, requestId: 'r-3' });
    expect(client.lastResponse).toEqual(told.at(-1));
    expect(told.every(({ ms }) => Number.isInteger(ms) && ms >= 0)).toBe(true);
    expect(JSON.stringify(told)).not.toMatch(/@|svc_|user/);
  });

  test('without a response has no status, and the last response stays', async () => {
    const service = new ScriptedService();
    service.answers = (_, nth) => (nth === 1 ? Promise.reject(new TypeError('fetch failed')) : null);
    const { client, seen } = watched(service);
    await client.verify(['a@x.test']);
    const { lastResponse } = client;
    service.answers = () => Promise.reject(new TypeError('fetch failed'));
    const { error } = await collect(client.verifyAll(['b@x.test']));
    expect(error).toMatchObject({ code: 'CONNECTION', status: null, requestId: null });
    expect(seen().at(-1)).toEqual(verifying(6, null, null));
    expect(client.lastResponse).toBe(lastResponse);
  });

  test('whose answer breaks names its id in the error', async () => {
    const service = new ScriptedService();
    service.answers = () =>
      new Response(new ReadableStream({ pull: (stream) => stream.error(new Error('reset')) }), {
        headers: linesResponse([]).headers,
      });
    const { client, seen } = watched(service);
    const { error } = await collect(client.verifyAll(['a@x.test']));
    expect(error).toMatchObject({ code: 'CONNECTION', status: 200, requestId: seen().at(-1)?.requestId });
  });

  test('costs its results nothing if the hook throws', async () => {
    const service = new ScriptedService();
    expect(await clientOf(service, { onAttempt: fails }).verify(['a@x.test'])).toHaveLength(1);
  });

  test.each(['', ' ', 'a b', 'x'.repeat(65), 'é'])('is not named by %j', async (id) => {
    const fetch = async (): Promise<Response> => Response.json({ credits: 7 }, { headers: { 'rcpt-request-id': id } });
    const client = clientOf(new ScriptedService(), { fetch });
    await client.credits();
    expect(client.lastResponse).toMatchObject({ status: 200, requestId: null });
  });
});
