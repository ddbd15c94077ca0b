import { createSocket } from 'node:dgram';
import { isIP } from 'node:net';

export type SourceAnswer =
  | { readonly kind: 'source'; readonly ip: string }
  /** This machine does not have the address. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'no_route' };

/** @param from the source address, null: the system chooses */
export type SourceAddress = (from: string | null, to: string) => Promise<SourceAnswer>;

const ANY_PORT = 9;

/** The source address of packets to `to`. Connecting a UDP socket sends none. */
export const sourceAddress: SourceAddress = (from, to) => {
  const socket = createSocket(isIP(to) === 6 ? 'udp6' : 'udp4');
  return new Promise<SourceAnswer>((resolve) => {
    socket.on('error', (error: NodeJS.ErrnoException) => {
      resolve({ kind: error.code === 'EADDRNOTAVAIL' && error.syscall === 'bind' ? 'absent' : 'no_route' });
    });
    const connect = (): void => {
      socket.connect(ANY_PORT, to, (error?: Error) => {
        resolve(error === undefined ? { kind: 'source', ip: socket.address().address } : { kind: 'no_route' });
      });
    };
    if (from === null) connect();
    else socket.bind({ address: from, port: 0, exclusive: true }, connect);
  }).finally(() => socket.close());
};
