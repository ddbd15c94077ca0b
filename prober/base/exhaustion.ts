import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

// Errors of the host itself, independent of the peer: no descriptor, memory or local port is left, or a local address
// is gone.

const EXHAUSTED: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'EADDRNOTAVAIL']);
const LOOPBACK = /^(127\.|::1$)/;

/** An error of a socket, as Node describes it: `address` is the peer's if `syscall` is `connect`. */
export type SocketError = NodeJS.ErrnoException & { readonly address?: unknown };

export type TellError = (error: SocketError) => void;

/** @param interfaces the addresses of this machine */
export function isExhaustion({ code, syscall, address }: SocketError, interfaces = networkInterfaces): boolean {
  if (code === undefined || !EXHAUSTED.has(code)) return false;
  // The system says the same if all local ports to the peer are taken, and if it has no address to connect from.
  if (code !== 'EADDRNOTAVAIL' || syscall !== 'connect' || typeof address !== 'string') return true;
  const family = isIP(address) === 6 ? 'IPv6' : 'IPv4';
  const near = LOOPBACK.test(address);
  return Object.values(interfaces()).some((all) => all?.some((one) => one.family === family && one.internal === near));
}

/** Reports the system's names of these errors and no others. */
export function tellExhaustion(tell: (errno: string) => void): TellError {
  return (error) => {
    if (error.code !== undefined && isExhaustion(error)) tell(error.code);
  };
}
