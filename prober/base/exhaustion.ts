// What a host lacks itself, whatever the peer is: no descriptor, memory or local port is left, or a local address is gone.

const EXHAUSTED: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'EADDRNOTAVAIL']);

/** Is told the system's name of an error that met a socket. */
export type TellError = (errno: string) => void;

export function isExhaustion(errno: string | undefined): errno is string {
  return errno !== undefined && EXHAUSTED.has(errno);
}

/** Tells of errors that are such, and of no others. */
export function tellExhaustion(tell: TellError): TellError {
  return (errno) => {
    if (EXHAUSTED.has(errno)) tell(errno);
  };
}
