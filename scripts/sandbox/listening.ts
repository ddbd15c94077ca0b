import type net from 'node:net';

/** Something that listens, and how to end it with every connection it has. */
export type Listening = { readonly port: number; readonly close: () => Promise<void> };

/** Has a server listen on a free port of 127.0.0.1, the one loopback address that every system has. @throws the system's error */
export function listenOnFreePort(server: net.Server): Promise<Listening> {
  const connections = new Set<net.Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of connections) socket.destroy();
    });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      server.off('error', reject);
      const address = server.address();
      resolve({ port: typeof address === 'object' && address !== null ? address.port : 0, close });
    });
  });
}
