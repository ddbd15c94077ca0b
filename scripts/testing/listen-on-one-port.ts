import type { Server } from 'node:net';

const TRIES = 20;

/**
 * Has all servers listen on one port, as a route wants it, each at an address of its own.
 * @param addressOf the loopback address of the n-th
 * @returns the port, which was free at every address
 * @throws what the system says, if no such port is found
 */
export async function listenOnOnePort(servers: readonly Server[], addressOf: (n: number) => string): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    let port = 0;
    try {
      for (const [n, server] of servers.entries()) port = await listenOn(server, addressOf(n), port);
      return port;
    } catch (error) {
      if (tries === TRIES) throw error;
      await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
    }
  }
}

function listenOn(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}
