import { describe, expect } from 'vitest';
import { claim } from './testing/claim.ts';
import { expectError } from './testing/reply.ts';
import { ask, customer, post, verify } from './testing/service.ts';

// Sections 2.5 and 7: errors; and in what order they are looked for.

const LITERAL = 'a@[192.0.2.1]';
const HTML = 'text/html; charset=utf-8';
const LARGE = ' '.repeat(51_201);
const TOO_MANY = Array.from({ length: 501 }, () => 0);

describe('an error', () => {
  claim('2.5', 'has a message, always, and a code if the interface has one for it', 'any key', async () => {
    expectError(await verify([]), 400, 'INVALID_INPUT');
    expectError(await ask('/api/v1/credits', { key: null }), 401, 'UNAUTHORIZED');
    expectError(await ask('/nowhere'), 404, null);
  });
  claim('7', '400 `INVALID_INPUT`: `emails` is missing or empty', 'any key', async () => {
    expectError(await post('{}'), 400, 'INVALID_INPUT');
    expectError(await verify([]), 400, 'INVALID_INPUT');
  });
  claim('7', '400 `TOO_MANY`: more entries than a request may have', 'any key', async () => {
    expectError(await verify(TOO_MANY), 400, 'TOO_MANY');
  });
  claim('7', '401 `UNAUTHORIZED`: no `Authorization`, or an invalid key', 'any key', async () => {
    expectError(await verify([LITERAL], { key: null }), 401, 'UNAUTHORIZED');
    expectError(await verify([LITERAL], { key: 'x' }), 401, 'UNAUTHORIZED');
  });
  claim('7', '402 `NO_CREDITS`: the balance is too low for the whole batch', 'operator', async () => {
    expectError(await verify([LITERAL], { key: (await customer(0)).key }), 402, 'NO_CREDITS');
  });
  claim('7', '413 without a code: the body is above 50 kB', 'any key', async () => {
    expectError(await post(LARGE), 413, null);
  });
  claim('7', '413: the message tells to split the batch', 'any key', async () => {
    expect((await post(LARGE)).text).toContain('split the batch');
  });
  claim('requests', '404 and 405 are errors of the same form, without a code; 405 has `Allow`', 'any key', async () => {
    for (const path of ['/no-such-page', '/api', '/api/v1', '/api/v1/verify/', '/api/v2/verify', '/api/v1/credits/x'])
      expectError(await ask(path), 404, null);
    for (const [method, path, allow] of [
      ['PUT', '/api/v1/verify', 'POST'],
      ['OPTIONS', '/api/v1/verify', 'POST'],
      ['POST', '/api/v1/credits', 'GET, HEAD'],
      ['DELETE', '/api/v1/credits', 'GET, HEAD'],
    ] as const) {
      const answer = await ask(path, { method, key: null });
      expectError(answer, 405, null);
      expect(answer.headers.get('allow')).toBe(allow);
    }
  });
  claim(
    'requests',
    'a browser gets a page where there is nothing, with 404; an API path stays JSON',
    'any key',
    async () => {
      const headers = { accept: 'text/html,*/*' };
      for (const path of ['/nowhere', '/nowhere/', '/balance/x', '/docs/cobol', '/index.html'])
        for (const method of ['GET', 'HEAD']) {
          const answer = await ask(path, { key: null, method, headers });
          expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 404, HTML]);
        }
      for (const path of ['/api/v2/verify', '/app/v1/nowhere', '/admin'])
        expectError(await ask(path, { key: null, headers }), 404, null);
      expect((await ask('/assets/gone.js', { key: null, headers })).status).toBe(404);
      for (const path of ['/', '/verify', '/lists/9f2', '/sign-in/', '/docs', '/docs/examples/'])
        expect([path, (await ask(path, { key: null, headers })).status]).toEqual([path, 200]);
    },
  );
  claim('requests', 'crawlers and browsers find a robots file and an icon', 'any key', async () => {
    for (const path of ['/robots.txt', '/favicon.ico']) {
      expect((await ask(path, { key: null })).status).toBe(200);
      expect((await ask(path, { key: null, method: 'POST' })).status).toBe(405);
    }
  });
  claim('requests', 'no answer allows a page of another origin to read it', 'any key', async () => {
    const origin = { origin: 'https://elsewhere.example' };
    const answers = [
      await ask('/api/v1/credits', { headers: origin }),
      await ask('/api/v1/verify', { method: 'OPTIONS', headers: origin }),
    ];
    for (const { headers } of answers) expect(headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('the order of the checks', () => {
  const wrong = { key: 'no key of anyone' };
  claim('requests', '404 and 405 come before 401', 'any key', async () => {
    expect((await ask('/nowhere', wrong)).status).toBe(404);
    expect((await ask('/api/v1/credits', { ...wrong, method: 'POST', body: LARGE })).status).toBe(405);
  });
  claim('requests', '401 comes before 413 and 400', 'any key', async () => {
    expect((await post(LARGE, wrong)).status).toBe(401);
    expect((await post('{', wrong)).status).toBe(401);
  });
  claim('requests', '413 comes before 400, and 400 before 402', 'operator', async () => {
    const { key } = await customer(0);
    const statuses = [await post(LARGE, { key }), await verify(TOO_MANY, { key }), await verify([LITERAL], { key })];
    expect(statuses.map(({ status }) => status)).toEqual([413, 400, 402]);
  });
  claim('requests', '429 comes after 401 and before 413, 400 and 402', 'sandbox', async () => {
    const { key } = await customer(0);
    await Promise.all(Array.from({ length: 60 }, () => ask('/api/v1/credits', { key })));
    for (const answer of [await post(LARGE, { key }), await verify([], { key }), await verify([LITERAL], { key })])
      expectError(answer, 429, 'RATE_LIMITED');
    expect((await post(LARGE, { key: `${key}x` })).status).toBe(401);
  });
});

describe('every answer', () => {
  claim(
    'requests',
    'has a request id of its own, and is not to be stored, sniffed or sent in the clear',
    'any key',
    async () => {
      const answers = [
        await ask('/nowhere'),
        await verify(['x']),
        await verify([]),
        await ask('/health', { key: null }),
      ];
      for (const { headers } of answers) {
        expect(headers.get('cache-control')).toBe('no-store');
        expect(headers.get('x-content-type-options')).toBe('nosniff');
        expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d+/);
      }
      expect(new Set(answers.map(({ headers }) => headers.get('rcpt-request-id'))).size).toBe(answers.length);
    },
  );
});
