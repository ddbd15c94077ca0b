import type net from 'node:net';

/** Something that listens, and how to end it with every connection it has. */
export type Listening = { readonly port: number; readonly close: () => Promise<void> };

const TRIES = 20;

/** From now on a server's connections are known. @returns what ends it with every one of them */
export function closerOf(server: net.Server): () => Promise<void> {
  const connections = new Set<net.Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of connections) socket.destroy();
    });
}

/**
 * Has servers listen on one port, as a route wants it, each at an address of its own.
 * @returns the port, which was free at every address
 * @throws the system's error, if none was in 20 tries
 */
export async function listenOnOnePort(servers: readonly (readonly [ip: string, net.Server])[]): Promise<Listening> {
  const closers = servers.map(([, server]) => closerOf(server));
  const close = async (): Promise<void> => {
    await Promise.all(closers.map((closeOne) => closeOne()));
  };
  for (let tries = 1; ; tries += 1) {
    let port = 0;
    try {
      for (const [ip, server] of servers) port = await listen(server, ip, port);
      return { port, close };
    } catch (error) {
      await close();
      if (tries === TRIES) throw error;
    }
  }
}

/** @returns the port; a free one for 0. @throws the system's error, EADDRINUSE above all */
function listen(server: net.Server, ip: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, ip, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
