import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, createServer as createPlainServer, type Server as PlainServer, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { TEST_CERTIFICATE } from '../../../prober/testing/certificate.ts';
import { proxiedFetch } from './proxied-fetch.ts';
import { proxyFor } from './proxy.ts';

// Real proxies on this machine: small ones, and ones that do nothing that they should.

const undo: (() => void)[] = [];
afterEach(() => {
  for (const step of undo.splice(0)) step();
});

async function portOf(server: Server | PlainServer): Promise<number> {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  undo.push(() => server.close());
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
  return address.port;
}

/** A proxy that does this with each connection, and counts them. */
async function proxyThat(does: (socket: Socket) => void) {
  const sockets: Socket[] = [];
  const server = createPlainServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    does(socket);
  });
  const port = await portOf(server);
  undo.push(() => sockets.forEach((socket) => socket.destroy()));
  return { port, connections: () => sockets.length };
}

/** What the service does: it says what it was asked. */
const echo: RequestListener = (request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text: string) => (body += text));
  request.on('end', () => {
    response.writeHead(200, { 'x-seen': `${request.method} ${request.url}` });
    response.write(`${request.headers.authorization ?? ''} `);
    response.end(body);
  });
};

function service(isSecure: boolean): Promise<number> {
  return portOf(isSecure ? createSecureServer(TEST_CERTIFICATE, echo) : createServer(echo));
}

function fetchThrough(port: number, url: string): typeof fetch {
  const name = url.startsWith('https') ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = proxyFor(new URL(url), { [name]: `http://ann:secret@127.0.0.1:${port}` });
  if (proxy === null) throw new Error('There is no proxy.');
  return proxiedFetch(proxy);
}

const POST = { method: 'POST', body: '{"emails":[]}', headers: { authorization: 'Bearer key' } };

test('a call goes through a tunnel, and the proxy sees neither key nor body', async () => {
  const before = getCACertificates('default');
  setDefaultCACertificates([TEST_CERTIFICATE.cert]);
  undo.push(() => setDefaultCACertificates(before));
  const target = await service(true);
  let heard = '';
  const { port } = await proxyThat((socket) => {
    socket.once('data', (head) => {
      heard = head.toString('latin1');
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      const onward = connect(target, '127.0.0.1');
      onward.on('error', () => {});
      socket.pipe(onward).pipe(socket);
    });
  });
  const response = await fetchThrough(port, 'https://mx.example.test')('https://mx.example.test/api?x=1', POST);
  expect([response.status, response.headers.get('x-seen'), await response.text()]).toEqual([
    200,
    'POST /api?x=1',
    'Bearer key {"emails":[]}',
  ]);
  expect(heard).toMatch(/^CONNECT mx\.example\.test:443 HTTP\/1\.1\r\n/);
  expect(heard).toContain(`Basic ${Buffer.from('ann:secret').toString('base64')}`);
  expect(heard).not.toContain('Bearer');
});

test('who answers in the tunnel and is not the service gets no key', async () => {
  const target = await service(true);
  const { port } = await proxyThat((socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const onward = connect(target, '127.0.0.1');
      onward.on('error', () => {});
      socket.pipe(onward).pipe(socket);
    });
  });
  const call = fetchThrough(port, 'https://mx.example.test')('https://mx.example.test/', POST);
  await expect(call).rejects.toMatchObject({
    cause: { message: expect.stringMatching(/proxy .* failed: self-signed/) },
  });
});

test('a service on this machine is asked through a proxy on it as it wants to be', async () => {
  const target = await service(false);
  const { port } = await proxyThat((socket) => {
    const onward = connect(target, '127.0.0.1');
    onward.on('error', () => {});
    socket.pipe(onward).pipe(socket);
  });
  const url = `http://127.0.0.1:${target}/api`;
  const response = await fetchThrough(port, url)(url, POST);
  expect([response.headers.get('x-seen'), await response.text()]).toEqual([`POST ${url}`, 'Bearer key {"emails":[]}']);
});

test.each<[string, (socket: Socket) => void, RegExp]>([
  ['closes the connection', (socket) => socket.destroy(), /socket hang up|ECONNRESET|closed the connection/],
  [
    'closes it once it was asked',
    (socket) => socket.once('data', () => socket.end()),
    /socket hang up|closed|ECONNRESET/,
  ],
  [
    'closes the tunnel',
    (socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\n\r\n')),
    /disconnected|closed|ECONNRESET|socket/,
  ],
  [
    'wants a password',
    (socket) => socket.once('data', () => socket.end('HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n')),
    /wants another name and password than HTTPS_PROXY has \(407\)/,
  ],
  [
    'refuses the host',
    (socket) => socket.once('data', () => socket.end('HTTP/1.1 403 No\r\nContent-Length: 3\r\n\r\nno.')),
    /it answered 403/,
  ],
  [
    'is none',
    (socket) => socket.once('data', () => socket.end('220 mx.example.test\r\n')),
    /Parse Error|Expected HTTP/,
  ],
  [
    'speaks for the service',
    (socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n')),
    /it spoke before the service|closed/,
  ],
])('a proxy that %s is an error, after one connection', async (_name, does, words) => {
  const { port, connections } = await proxyThat(does);
  const call = fetchThrough(port, 'https://mx.example.test')('https://mx.example.test/', POST);
  await expect(call).rejects.toMatchObject({
    message: 'fetch failed',
    cause: { message: expect.stringMatching(words) },
  });
  expect(connections()).toBe(1);
});

test('a caller that waits no longer is told so by its own reason', async () => {
  const stop = new AbortController();
  const { port } = await proxyThat(() => stop.abort(new Error('no longer')));
  const call = fetchThrough(port, 'https://mx.example.test')('https://mx.example.test/', {
    ...POST,
    signal: stop.signal,
  });
  await expect(call).rejects.toThrow('no longer');
});
