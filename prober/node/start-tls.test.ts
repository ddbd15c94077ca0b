import type { Socket } from 'node:net';
import { TLSSocket, type TLSSocketOptions } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import type { Connection } from '../engine/ports/ports.ts';
import { TEST_CERTIFICATE } from '../testing/certificate.ts';
import { closeAll, connected, read, readText } from '../testing/tcp.ts';

afterEach(closeAll);

/** Answers the first line with `ready`, then speaks TLS and echoes in capitals. */
function tlsServer(
  ready: string,
  options: Partial<TLSSocketOptions> = {},
  names: string[] = [],
  greet: (secure: TLSSocket) => void = () => undefined,
) {
  return (socket: Socket): void => {
    socket.once('data', () => {
      socket.write(ready);
      const secure = new TLSSocket(socket, {
        isServer: true,
        ...TEST_CERTIFICATE,
        SNICallback: (name, done) => {
          names.push(name);
          done(null);
        },
        ...options,
      });
      secure.on('error', () => undefined);
      secure.on('data', (bytes: Buffer) => secure.write(bytes.toString().toUpperCase()));
      secure.on('end', () => secure.end('BYE'));
      greet(secure);
    });
  };
}

async function started(connection: Connection): Promise<Connection> {
  connection.write('STARTTLS\r\n');
  expect(await readText(connection)).toMatch(/^220 /);
  return connection;
}

describe('startTls', () => {
  it("continues in TLS, with the host's name as SNI and an untrusted certificate", async () => {
    const names: string[] = [];
    const connection = await started(await connected(tlsServer('220 ready\r\n', {}, names)));
    expect(await connection.startTls('mx.other.test')).toBe('secure');
    connection.write('ehlo\r\n');
    expect(await readText(connection)).toBe('EHLO\r\n');
    connection.write('more\r\n');
    expect(await readText(connection)).toBe('MORE\r\n');
    expect(names).toEqual(['mx.other.test']);
  });

  it.each(['192.0.2.1', '2001:db8::1', ''])('sends no SNI if the host is %j', async (host) => {
    const names: string[] = [];
    const connection = await started(await connected(tlsServer('220 ready\r\n', {}, names)));
    expect(await connection.startTls(host)).toBe('secure');
    expect(names).toEqual([]);
  });

  it('accepts a server that only supports TLS 1.0', async () => {
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    const connection = await started(await connected(tlsServer('220 ready\r\n', old)));
    expect(await connection.startTls('mx.test')).toBe('secure');
    connection.write('ehlo\r\n');
    expect(await readText(connection)).toBe('EHLO\r\n');
  });

  it('drops plain text that the peer sent before TLS (RFC 3207 §6)', async () => {
    const connection = await connected((socket) => {
      socket.write('220 hello\r\n');
      tlsServer('')(socket);
    });
    connection.write('STARTTLS\r\n');
    // The greeting is unread when TLS starts.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await connection.startTls('mx.test')).toBe('secure');
    connection.write('ehlo\r\n');
    expect(await readText(connection)).toBe('EHLO\r\n');
  });

  it.each([
    ['does not speak TLS', (socket: Socket) => socket.on('data', () => socket.write('220 ready, or not\r\n'))],
    ['ends', (socket: Socket) => socket.once('data', () => socket.end('220 ready\r\n'))],
    [
      'resets',
      (socket: Socket) =>
        socket.once('data', () => socket.write('220 ready\r\n', () => setImmediate(() => socket.resetAndDestroy()))),
    ],
  ])('fails if the peer %s, and the connection is lost', async (_name, serve) => {
    const connection = await started(await connected(serve));
    expect(await connection.startTls('mx.test')).toBe('failed');
    expect(await readText(connection)).toMatch(/lost|closed/);
    expect(await connection.startTls('mx.test')).toBe('failed');
    connection.write('x');
    connection.end();
  });

  it('fails when the connection is destroyed during the handshake, and frees the socket', async () => {
    const gone = Promise.withResolvers<void>();
    const hang = (socket: Socket): void => {
      socket.on('data', () => undefined);
      socket.on('close', gone.resolve);
      socket.on('end', () => socket.end());
      socket.write('220 ready\r\n');
    };
    const connection = await started(await connected(hang));
    const answer = connection.startTls('mx.test');
    setImmediate(() => connection.destroy());
    expect(await answer).toBe('failed');
    await gone.promise;
    expect(await connection.startTls('mx.test')).toBe('failed');
  });

  it('reads to the end in TLS, by pulling', async () => {
    const serve = tlsServer('220 ready\r\n', {}, [], (secure) => secure.end(Buffer.alloc(1_000_000, 'x')));
    const connection = await started(await connected(serve));
    expect(await connection.startTls('mx.test')).toBe('secure');
    let total = 0;
    for (;;) {
      const answer = await read(connection);
      if (answer.kind !== 'bytes') {
        expect(answer.kind).toBe('closed');
        break;
      }
      expect(answer.bytes.length).toBeLessThanOrEqual(65_536);
      total += answer.bytes.length;
    }
    expect(total).toBe(1_000_000);
  });
});
