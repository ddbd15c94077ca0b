import { request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { describe, expect } from 'vitest';
import { claim } from './testing/claim.ts';
import { elements, expectError } from './testing/reply.ts';
import { ask, customer, fileKey, given, post, verify, type HttpResponse } from './testing/service.ts';

// Section 8: how much, how large, how often.

const CREDITS = '/api/v1/credits';
const reset = (answer: HttpResponse): number => Number(answer.headers.get('ratelimit-reset'));
const filled = (bytes: number): string => '{"emails":["x"]}'.padEnd(bytes);

/** Sends a body in chunks, so without Content-Length. */
async function statusOfChunked(body: string): Promise<number> {
  const url = new URL('/api/v1/verify', given().url);
  const headers = { authorization: `Bearer ${await fileKey()}`, 'transfer-encoding': 'chunked' };
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? secureRequest : request;
    const sent = send(url, { method: 'POST', headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    sent.on('error', reject);
    for (let at = 0; at < body.length; at += 4_000) sent.write(body.slice(at, at + 4_000));
    sent.end();
  });
}

describe('addresses per request', () => {
  claim('8', '500 are verified, and 501 are `TOO_MANY`', 'any key', async () => {
    const entries = Array.from({ length: 501 }, (_, n) => `no address ${n}`);
    expect(elements(await verify(entries.slice(0, 500)))).toHaveLength(500);
    expectError(await verify(entries), 400, 'TOO_MANY');
  });
});

describe('the size of the body', () => {
  claim('8', '51,200 bytes are read, and 51,201 are 413', 'any key', async () => {
    expect((await post(filled(51_200))).status).toBe(200);
    expectError(await post(filled(51_201)), 413, null);
  });
  claim('requests', 'is counted as the body arrives, without a Content-Length too', 'any key', async () => {
    expect(await statusOfChunked(filled(51_200))).toBe(200);
    expect(await statusOfChunked(filled(51_201))).toBe(413);
  });
  claim('requests', 'is counted in bytes, not in characters', 'any key', async () => {
    const body = JSON.stringify({ emails: ['ü'.repeat(25_700)] });
    expect(body.length).toBeLessThan(51_200);
    expectError(await post(body), 413, null);
  });
});

describe('the request rate', () => {
  claim('8', '60 requests a minute pass and no more, 200 at once', 'sandbox', async () => {
    const { key } = await customer(0);
    const answers = await Promise.all(Array.from({ length: 200 }, () => ask(CREDITS, { key })));
    const refused = answers.filter(({ status }) => status === 429);
    expect([answers.filter(({ status }) => status === 200).length, refused.length]).toEqual([60, 140]);
    for (const answer of refused) expectError(answer, 429, 'RATE_LIMITED');
  });
  claim('7', '429 `RATE_LIMITED` has the `RateLimit-*` headers, and `Retry-After`', 'sandbox', async () => {
    const { key } = await customer(0);
    const answers = await Promise.all(Array.from({ length: 61 }, () => ask(CREDITS, { key })));
    const refused = answers.find(({ status }) => status === 429);
    if (refused === undefined) throw new Error('No call was refused');
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'ratelimit-limit': '60',
      'ratelimit-remaining': '0',
      'ratelimit-policy': '60;w=60',
      'retry-after': String(reset(refused)),
    });
    expect(reset(refused)).toBeGreaterThan(50);
    expect(reset(refused)).toBeLessThanOrEqual(60);
  });
  claim('5.7', 'is limited per API key', 'operator', async () => {
    const [one, other] = [await customer(0), await customer(0)];
    const left = [one, one, other].map(async ({ key }) =>
      (await ask(CREDITS, { key })).headers.get('ratelimit-remaining'),
    );
    expect(new Set(await Promise.all(left))).toEqual(new Set(['58', '59']));
  });
  claim('8', 'counts requests, not addresses: a batch is one request', 'operator', async () => {
    const { key } = await customer(0);
    const batch = await verify(['x', 'y', 'z'], { key });
    expect(batch.headers.get('ratelimit-remaining')).toBe('59');
    expect((await ask(CREDITS, { key })).headers.get('ratelimit-remaining')).toBe('58');
  });
  claim('requests', 'counts every authenticated call, at any endpoint, successful or not', 'operator', async () => {
    const { key } = await customer(0);
    const answers = [
      await verify([], { key }),
      await verify(['a@[192.0.2.1]'], { key }),
      await post(filled(51_201), { key }),
      await ask(CREDITS, { key }),
    ];
    const seen = answers.map(({ status, headers }) => [status, headers.get('ratelimit-remaining')]);
    expect(seen).toEqual([
      [400, '59'],
      [402, '58'],
      [413, '57'],
      [200, '56'],
    ]);
  });
  claim('requests', 'is not counted, nor told, if the path, the method or the key is wrong', 'operator', async () => {
    const { key } = await customer(0);
    const answers = [
      await ask('/nowhere', { key }),
      await ask(CREDITS, { key, method: 'PUT' }),
      await ask(CREDITS, { key: `${key}x` }),
    ];
    for (const { headers } of answers) expect(headers.get('ratelimit-limit')).toBeNull();
    expect((await ask(CREDITS, { key })).headers.get('ratelimit-remaining')).toBe('59');
  });
  claim('requests', 'has a fixed window: its end does not move with further requests', 'operator', async () => {
    const { key } = await customer(0);
    const first = await ask(CREDITS, { key });
    await expect
      .poll(async () => reset(await ask(CREDITS, { key })), { timeout: 5_000, interval: 300 })
      .toBeLessThan(reset(first));
  });
});
