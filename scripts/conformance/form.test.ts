import { describe, expect } from 'vitest';
import { claim } from './testing/claim.ts';
import { expectError } from './testing/reply.ts';
import { ask, fileKey, type HttpResponse } from './testing/service.ts';

// POST /api/v1/form, for pages of other sites. Its own tests, which have keys of forms, stand beside its code.

const FORM = '/api/v1/form';
const ORIGIN = { origin: 'https://shop.example' };

const check = (body: object | string, headers: Readonly<Record<string, string>> = ORIGIN): Promise<HttpResponse> =>
  ask(FORM, {
    method: 'POST',
    key: null,
    headers: { 'content-type': 'text/plain', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

describe('the route of forms', () => {
  claim(
    'forms',
    'takes keys of forms alone: any other is 401, and a secret key is told where it belongs',
    'any key',
    async () => {
      expectError(await check({ email: 'a@b.example' }), 401, 'UNAUTHORIZED');
      expectError(await check({ key: `svc_form_${'0'.repeat(38)}`, email: 'a@b.example' }), 401, 'UNAUTHORIZED');
      const secret = await check({ key: await fileKey(), email: 'a@b.example' });
      expectError(secret, 401, 'UNAUTHORIZED');
      expect(secret.text).toContain('belongs on a server');
    },
  );
  claim('forms', 'is POST with JSON of at most 4096 bytes: else 405, 413 or 400, at no cost', 'any key', async () => {
    for (const method of ['GET', 'OPTIONS', 'PUT']) {
      const answer = await ask(FORM, { method, key: null, headers: ORIGIN });
      expectError(answer, 405, null);
      expect(answer.headers.get('allow')).toBe('POST');
    }
    expectError(await check('x'.repeat(4_097)), 413, null);
    expectError(await check('key=svc_form_x&email=a%40b.example'), 400, 'INVALID_INPUT');
  });
  claim('forms', 'lets no page read an answer to a key that does not name its origin', 'any key', async () => {
    const { headers } = await check({ key: await fileKey(), email: 'a@b.example' });
    expect([headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual([null, 'Origin']);
  });
  claim(
    'forms',
    'is asked by a script that any site may load, and that browsers keep for a day',
    'any key',
    async () => {
      const { status, headers } = await ask('/form.js', { key: null });
      expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=86400']);
      expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    },
  );
});
