import { expect, test } from 'vitest';
import { parseAuditTarget } from './audit-target.ts';

test.each([
  ['MX.Example.com.', { host: 'mx.example.com', port: null }],
  ['mx.example.com:2525', { host: 'mx.example.com', port: 2525 }],
  ['192.0.2.1:26', { host: '192.0.2.1', port: 26 }],
  ['2001:db8::1', { host: '2001:db8::1', port: null }],
  ['[2001:db8::1]:26', { host: '2001:db8::1', port: 26 }],
])('%s is a target', (text, value) => {
  expect(parseAuditTarget(text)).toEqual({ ok: true, value });
});

test.each([
  '',
  ':25',
  'mx.example.com:',
  'mx.example.com:0',
  'mx.example.com:65536',
  'a b',
  '[mx.example.com]:25',
  '[::1',
])('%j is not a target', (text) => {
  expect(parseAuditTarget(text)).toEqual({ ok: false, problem: expect.stringContaining('HOST:PORT') });
});
