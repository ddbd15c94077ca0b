import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { requestDigest } from './request-digest.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test('the digest is base64url SHA-256 over method, path and body, separated by line feeds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('GET', 'PUT'), fc.webPath(), fc.uint8Array(), async (method, path, body) => {
      const expected = createHash('sha256').update(`${method}\n${path}\n`).update(body).digest('base64url');
      expect(await requestDigest(method, path, body)).toBe(expected);
    }),
    { numRuns: 30 },
  );
});

test.each([
  ['method', 'DELETE', '/admin/v1/hosts/a', '{}'],
  ['path', 'PUT', '/admin/v1/hosts/b', '{}'],
  ['query', 'PUT', '/admin/v1/hosts/a?x=1', '{}'],
  ['body', 'PUT', '/admin/v1/hosts/a', '{ }'],
])('another %s gives another digest', async (_what, method, path, body) => {
  const digest = await requestDigest('PUT', '/admin/v1/hosts/a', bytes('{}'));
  expect(await requestDigest(method, path, bytes(body))).not.toBe(digest);
});
