import net from 'node:net';

/** Something that listens, and how to end it with every connection it has. */
export type Listening = { readonly port: number; readonly close: () => Promise<void> };

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

/** Has a server that listens take what is dialled at further addresses, on its port. */
export async function listenAlso(server: net.Server, ips: readonly string[], port: number): Promise<Listening> {
  const doors = await Promise.all(
    ips.map((ip) =>
      listen(
        net.createServer((socket) => server.emit('connection', socket)),
        ip,
        port,
      ),
    ),
  );
  return {
    port,
    close: async () => {
      await Promise.all(doors.map((door) => door.close()));
    },
  };
}

/**
 * Listens with a server.
 * @param port 0 takes a free one
 * @throws the system's error, EADDRINUSE above all
 */
export async function listen(server: net.Server, ip: string, port: number): Promise<Listening> {
  const close = closerOf(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, ip, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has no port');
  return { port: address.port, close };
}
