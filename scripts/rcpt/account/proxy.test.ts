import { createServer as createSecureServer } from 'node:https';
import { connect, createServer, type Server } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { TEST_CERTIFICATE } from '../../../prober/testing/certificate.ts';
import { useProxy } from './proxy.ts';

const undo: (() => void)[] = [];
afterEach(() => {
  for (const step of undo.splice(0)) step();
});

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  undo.push(() => server.close());
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** A proxy that opens a tunnel to this port for any request. */
async function startProxy(target: number) {
  const heard: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (head) => {
      heard.push(head.toString('latin1'));
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      const onward = connect(target, '127.0.0.1').on('error', () => {});
      socket.pipe(onward).pipe(socket);
      undo.push(() => socket.destroy());
    });
  });
  return { port: await portOf(server), heard };
}

test('a call goes through a tunnel, and the proxy sees neither key nor body', async () => {
  const before = getCACertificates('default');
  setDefaultCACertificates([TEST_CERTIFICATE.cert]);
  undo.push(() => setDefaultCACertificates(before));
  const service = createSecureServer(TEST_CERTIFICATE, (request, response) => {
    response.end(`${request.method} ${request.url} ${request.headers.authorization}`);
  });
  const { port, heard } = await startProxy(await portOf(service));
  const url = 'https://mx.example.test/api?x=1';
  const env = { HTTPS_PROXY: `http://ann:secret@127.0.0.1:${port}`, NO_PROXY: 'other.test' };
  undo.push(useProxy(new URL(url), env));
  const response = await fetch(url, {
    method: 'POST',
    body: '{"emails":[]}',
    headers: { authorization: 'Bearer key' },
  });
  expect(await response.text()).toBe('POST /api?x=1 Bearer key');
  expect(heard.join('')).toMatch(/^CONNECT mx\.example\.test:443 HTTP\/1\.1\r\n/);
  expect(heard.join('')).toContain(`Basic ${Buffer.from('ann:secret').toString('base64')}`);
  expect(heard.join('')).not.toContain('Bearer');
});

test.each([
  [
    'the service is excepted',
    'https://mx.example.test:1',
    { HTTPS_PROXY: 'http://127.0.0.1:1', NO_PROXY: 'mx.example.test' },
  ],
  ['the service is on this machine', 'http://127.0.0.1:1', { HTTPS_PROXY: 'http://127.0.0.1:2' }],
])('a proxy is not asked if %s', async (_name, url, env) => {
  const { port, heard } = await startProxy(1);
  undo.push(useProxy(new URL(url), { ...env, HTTPS_PROXY: `http://127.0.0.1:${port}` }));
  await expect(fetch(url)).rejects.toThrow('fetch failed');
  expect(heard).toEqual([]);
});

test.each(['socks5://ann:secret@proxy.test:1080', 'http://', '::'])('%j is refused and not repeated', (proxy) => {
  const use = (): unknown => useProxy(new URL('https://mx.example.test'), { https_proxy: proxy });
  expect(use).toThrow('HTTPS_PROXY must be the address of an http or https proxy');
  expect(use).not.toThrow('secret');
});
