import { expect, test } from 'vitest';
import { readKey, readUrl } from './connection.ts';

test.each([
  ['https://verify.example.test', 'https://verify.example.test'],
  ['https://verify.example.test:8443/rcpt//', 'https://verify.example.test:8443/rcpt'],
  ['http://localhost:8787/', 'http://localhost:8787'],
  ['http://127.0.0.1:8787', 'http://127.0.0.1:8787'],
  ['http://127.12.255.1', 'http://127.12.255.1'],
  ['http://[::1]:8787', 'http://[::1]:8787'],
])('%s is a service at %s', (text, url) => {
  expect(readUrl(text)).toBe(url);
});

test.each([
  'http://verify.example.test',
  'http://127.0.0.1.example.test',
  'http://1.127.0.0.1.test',
  'http://localhost.example.test',
  'http://128.0.0.1',
  'http://[::2]',
])('%s is called over https alone', (text) => {
  expect(() => readUrl(text)).toThrow('must be called over https');
});

test.each([
  'verify.example.test',
  'ftp://verify.example.test',
  'https://secret@verify.example.test',
  'https://verify.example.test/?secret',
  'https://verify.example.test/#secret',
  '',
])('%j is no address of a service, and is not repeated', (text) => {
  expect(() => readUrl(text)).toThrow('must be like https://verify.example.com');
  expect(() => readUrl(text)).not.toThrow('secret');
});

test('a key has no spaces, and is taken without what stands around it', () => {
  for (const text of ['"svc_live_abc"', "'svc_live_abc'\n", 'Bearer svc_live_abc', '\uFEFFBearer "svc_live_abc"\r\n'])
    expect(readKey(text, 'key.txt')).toBe('svc_live_abc');
  expect(readKey(' svc_live_abc.~+/=- \n', 'The input')).toBe('svc_live_abc.~+/=-');
  expect(readKey('x'.repeat(8), 'The input')).toBe('x'.repeat(8));
  for (const text of ['', 'short', '"svc_live_abc', 'svc_live_ abc', 'svc_live_ü123', 'x'.repeat(513)])
    expect(() => readKey(text, 'key.txt')).toThrow('key.txt contains no API key');
});
