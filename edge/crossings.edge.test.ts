import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inIsolate, startOwnEdge, withVars, type Edge } from './testing/edge.ts';

// What a caller waits for beyond the addresses themselves: trips to the limiter, to D1 and to the fleet of which one
// begins when another has ended. Each is an ocean's width if the Worker runs beside the caller.

let edge: Edge;
beforeAll(async () => {
  edge = await startOwnEdge();
});
afterAll(() => edge.stop());

/** Sends one call when nothing is left of earlier ones. @returns its status and its trips in sequence */
async function crossings(
  method: 'GET' | 'POST',
  key: string,
  body?: string,
  vars = {},
  headers = {},
): Promise<[number, unknown]> {
  await edge.quiet();
  const path = method === 'GET' ? '/api/v1/credits' : '/api/v1/verify';
  const answer = await fetch(new URL(path, edge.url), {
    method,
    headers: { authorization: `Bearer ${key}`, ...withVars(vars), ...headers },
    ...(body === undefined ? {} : { body }),
  });
  await answer.arrayBuffer();
  return [answer.status, await edge.trips()];
}

describe('trips that wait for each other', () => {
  it('are three for a verification: limiter, hold, fleet', async () => {
    const { key } = await edge.customer(10);
    expect(await crossings('POST', key, '{"emails":["a@good.test","b@policy.test"]}')).toEqual([200, 3]);
  });

  it('are as many with an Idempotency-Key, for a repeat too', async () => {
    const { key } = await edge.customer(10);
    const body = '{"emails":["a@good.test","b@policy.test"]}';
    for (let n = 0; n < 2; n += 1)
      expect(await crossings('POST', key, body, {}, { 'idempotency-key': 'k' })).toEqual([200, 3]);
  });

  it('are two for the credits, and for a body that is refused: limiter, key', async () => {
    const { key } = await edge.customer(10);
    expect(await crossings('GET', key)).toEqual([200, 2]);
    expect(await crossings('POST', key, '{}')).toEqual([400, 2]);
  });

  it('are two for a verification and one for the credits if there is no limit', async () => {
    const { key } = await edge.customer(10);
    const unlimited = { RATE_LIMIT: '0' };
    expect(await crossings('POST', key, '{"emails":["a@good.test"]}', unlimited)).toEqual([200, 2]);
    expect(await crossings('GET', key, undefined, unlimited)).toEqual([200, 1]);
  });

  it('are three if credits lack: the hold is tried again with the question why', async () => {
    const { key } = await edge.customer(0);
    expect(await crossings('POST', key, '{"emails":["a@good.test"]}')).toEqual([402, 3]);
  });

  it('are none for a key that was never issued', async () => {
    expect(await crossings('GET', 'svc_live_wrong')).toEqual([401, 0]);
  });

  it('are none for a call past the limit, but one for the first in each isolate', async () => {
    const { key } = await edge.customer(10);
    const once = { RATE_LIMIT: '1' };
    expect(await crossings('GET', key, undefined, once)).toEqual([200, 2]);
    expect(await crossings('GET', key, undefined, once)).toEqual([429, 0]);
    expect(await crossings('GET', key, undefined, once, inIsolate('another'))).toEqual([429, 1]);
    expect(await crossings('GET', key, undefined, once, inIsolate('another'))).toEqual([429, 0]);
  });
});
