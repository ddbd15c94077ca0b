import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';

/** A TCP server on loopback with scripted connections; closing it drops the open ones. */
export async function startPeer(
  serve: (socket: Socket) => void,
  address = '127.0.0.1',
): Promise<{
  readonly ip: string;
  readonly port: number;
  readonly server: Server;
  readonly close: () => Promise<void>;
}> {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    // Many tests are about a client that is gone.
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    serve(socket);
  });
  server.listen(0, address);
  await once(server, 'listening');
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('not listening on a port');
  const close = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return { ip: address, port: bound.port, server, close };
}
