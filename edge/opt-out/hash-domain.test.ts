import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { coveredBy, hashDomain } from './hash-domain.ts';

it('is HMAC-SHA-256 in base64url, another one under another secret', async () => {
  const secrets = ['a'.repeat(32), 'b'.repeat(32), 'a'.repeat(32)];
  for (const secret of secrets)
    expect(await hashDomain('example.com', secret)).toBe(
      createHmac('sha256', secret).update('example.com').digest('base64url'),
    );
});

it.each([
  ['example.com', ['example.com']],
  ['mail.example.co.uk', ['mail.example.co.uk', 'example.co.uk', 'co.uk']],
  [
    'a.b.c.d.e.f.example.com',
    ['c.d.e.f.example.com', 'd.e.f.example.com', 'e.f.example.com', 'f.example.com', 'example.com'],
  ],
  ['localhost', []],
])('%s is covered by %j, never by one label alone', (domain, names) => {
  expect(coveredBy(domain)).toEqual(names);
});
