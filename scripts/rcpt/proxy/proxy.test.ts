import { expect, test } from 'vitest';
import { Failure } from '../failure/failure.ts';
import { proxyFor } from './proxy.ts';

const SERVICE = new URL('https://verify.example.test');
const PROXY = { HTTPS_PROXY: 'http://proxy.test:3128' };

test.each<[string, string, Record<string, string>, string | null]>([
  ['that nobody names', 'https://a.test', {}, null],
  ['that is named', 'https://a.test', PROXY, 'http://proxy.test:3128/'],
  ['in small letters first', 'https://a.test', { ...PROXY, https_proxy: 'http://other.test' }, 'http://other.test/'],
  ['without a scheme', 'https://a.test', { HTTPS_PROXY: 'proxy.test:8080' }, 'http://proxy.test:8080/'],
  ['over TLS', 'https://a.test', { HTTPS_PROXY: 'https://proxy.test' }, 'https://proxy.test/'],
  ['of another scheme', 'https://a.test', { HTTP_PROXY: 'http://proxy.test' }, null],
  [
    'on this machine for plain HTTP',
    'http://localhost:8787',
    { HTTP_PROXY: 'http://127.0.0.1:1' },
    'http://127.0.0.1:1/',
  ],
  ['but for everything', 'https://a.test', { ...PROXY, NO_PROXY: '*' }, null],
  ['but for the host', 'https://a.test', { ...PROXY, NO_PROXY: 'b.test, a.test' }, null],
  ['but for its domain', 'https://verify.a.test', { ...PROXY, no_proxy: '.a.test' }, null],
  ['but for names below', 'https://verify.a.test', { ...PROXY, NO_PROXY: '*.a.test' }, null],
  ['but for another host', 'https://aa.test', { ...PROXY, NO_PROXY: 'a.test' }, 'http://proxy.test:3128/'],
  ['but for the port', 'https://a.test', { ...PROXY, NO_PROXY: 'a.test:443' }, null],
  ['but for another port', 'https://a.test', { ...PROXY, NO_PROXY: 'a.test:8443' }, 'http://proxy.test:3128/'],
  ['but for an address', 'https://[::1]:8443', { ...PROXY, NO_PROXY: '[::1]:8443' }, null],
])('a proxy %s', (_name, service, env, url) => {
  expect(proxyFor(new URL(service), env)?.url.href ?? null).toBe(url);
});

test('a name and a password go into a header', () => {
  const proxy = proxyFor(SERVICE, { HTTPS_PROXY: 'http://ann:p%40ss@proxy.test' });
  expect(proxy?.authorization).toBe(`Basic ${Buffer.from('ann:p@ss').toString('base64')}`);
});

test.each([
  [
    'https://a.test',
    { HTTPS_PROXY: 'socks5://ann:secret@proxy.test' },
    /^HTTPS_PROXY names a proxy of another kind \(socks5\)/,
  ],
  ['https://a.test', { HTTPS_PROXY: 'http://' }, /^HTTPS_PROXY is not the address of a proxy/],
  ['http://localhost', { HTTP_PROXY: 'http://ann:secret@proxy.test' }, /^HTTP_PROXY would carry the API key/],
])('one that cannot be used is refused by its variable, without its password: %s %j', (service, env, words) => {
  const refused = (): unknown => proxyFor(new URL(service), env);
  expect(refused).toThrow(Failure);
  expect(refused).toThrow(words);
  expect(refused).not.toThrow(/secret/);
});
