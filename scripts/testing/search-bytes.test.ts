import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { holds } from './search-bytes.ts';

const secret = 'm3arker@hidden.test';

test.each([
  ['as it is', secret],
  ['in capitals', secret.toUpperCase()],
  ['in hexadecimal', Buffer.from(secret).toString('hex')],
  ['in UTF-16', Buffer.from(secret, 'utf16le').toString('latin1')],
  ['in base64', Buffer.from(secret).toString('base64')],
  ['in base64 behind one byte', Buffer.from(`x${secret}y`).toString('base64')],
  ['in base64url behind two bytes', Buffer.from(`{"${secret}"}`).toString('base64url')],
  ['hashed', createHash('sha256').update(secret).digest('hex')],
])('a text is found %s', (_, hidden) => {
  expect(holds(Buffer.from(`before ${hidden} after`, 'latin1'), secret)).toBe(true);
});

test('a text that is absent is not found', () => {
  expect(holds(Buffer.from('before m3arker at hidden.test after'), secret)).toBe(false);
});
