import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listenOnOnePort } from './one-port.ts';

test('a port in use for UDP is skipped, and the next one is taken for both', async () => {
  const other = createSocket('udp4');
  other.bind(0, '127.0.0.1');
  await once(other, 'listening');
  const tcp = createServer();
  const udp = createSocket('udp4');
  onTestFinished(() => void [other.close(), udp.close(), tcp.close()]);

  const bind = udp.bind.bind(udp);
  const asked: number[] = [];
  udp.bind = (port?: unknown) => {
    asked.push(Number(port));
    return bind(asked.length === 1 ? other.address().port : Number(port), '127.0.0.1');
  };
  const port = await listenOnOnePort(tcp, udp);

  // The next one may be in use as well: other tests open sockets at the same time.
  expect(asked.length).toBeGreaterThan(1);
  expect([udp.address().port, tcp.address()]).toMatchObject([port, { port }]);
});
