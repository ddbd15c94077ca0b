import type { Socket } from 'node:dgram';
import { once } from 'node:events';
import type { Server } from 'node:net';

/** A port that is free for TCP may be in use for UDP, by any socket that looks something up at this moment. */
const TRIES = 20;

/** Makes a TCP and a UDP server listen on the same free port of 127.0.0.1. @throws if 20 were not free for both */
export async function listenOnOnePort(tcp: Server, udp: Socket): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    tcp.listen(0, '127.0.0.1');
    await once(tcp, 'listening');
    const address = tcp.address();
    if (address === null || typeof address === 'string') throw new Error('not listening on a port');
    const bound = once(udp, 'listening');
    udp.bind(address.port, '127.0.0.1');
    try {
      await bound;
      return address.port;
    } catch (error) {
      if (tries === TRIES) throw error;
      await new Promise((resolve) => tcp.close(resolve));
    }
  }
}
