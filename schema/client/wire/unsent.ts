/** Codes for a connection that never stood: no route, no name, nobody there, or a certificate that is not trusted. */
const CODE =
  /^(?:ECONNREFUSED|E(?:NET|HOST)UNREACH|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|(?:CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS_CERT)_\w+)$/;
const CALLS: readonly unknown[] = ['connect', 'getaddrinfo'];
/** Deno's errors have no code. */
const DENO = 'client error (Connect)';

/**
 * Whether an error of `fetch` proves that no byte of the request left, so that nothing can have been charged. Browsers do not
 * say. Pure.
 */
export function isUnsent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(isUnsent);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // A network may also go away under a connection, in the middle of reading or writing.
  const isKnown = 'syscall' in error ? CALLS.includes(error.syscall) : CODE.test(code) || error.message.includes(DENO);
  return isKnown || isUnsent(error.cause);
}
