// Errors of the host itself, independent of the peer: no descriptor, memory or local port is left, or a local address
// is gone.

const EXHAUSTED: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'EADDRNOTAVAIL']);

/** Called with the system's name of a socket error. */
export type TellError = (errno: string) => void;

export function isExhaustion(errno: string | undefined): errno is string {
  return errno !== undefined && EXHAUSTED.has(errno);
}

/** Reports these errors and no others. */
export function tellExhaustion(tell: TellError): TellError {
  return (errno) => {
    if (EXHAUSTED.has(errno)) tell(errno);
  };
}
