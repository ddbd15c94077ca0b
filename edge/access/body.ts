import { RequestError } from '../../schema/errors.ts';
import { within } from '../base/within.ts';

/** What has a body: a request, or the answer to one of ours. */
type Carrier = Pick<Request, 'body'> & { readonly headers: Pick<Headers, 'get'> };

/** How long a body may take to arrive: enough for the longest one at 14 kbit/s. */
const WITHIN_MS = 30_000;
/** Chunks that a body may arrive in: each is a turn of the isolate, and a caller can send a byte at a time. */
const PIECES_MAX = 5_000;

/**
 * Reads a body; without a declared length, the bytes are counted as they arrive.
 * @param maxBytes the most that is read, even if Content-Length says more
 * @param remedy what the sender of a longer one is advised to do, if anything
 * @returns the bytes; none if there is no body
 * @throws RequestError BODY_TOO_LARGE; INVALID_INPUT if the body breaks off, takes longer than 30 s, or has no declared
 * length and arrives in more than 5,000 chunks
 */
export async function readBody(request: Carrier, maxBytes: number, remedy?: string): Promise<Uint8Array> {
  const declared = request.headers.get('content-length');
  if (Number(declared ?? 0) > maxBytes) throw tooLarge(maxBytes, remedy);
  // HTTP delivers no more than was declared, so there is nothing to count: half the cost of a short body.
  if (declared !== null && request instanceof Request) {
    const bytes = await within(WITHIN_MS, request.arrayBuffer()).catch(brokenOff);
    if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes, remedy);
    return new Uint8Array(bytes);
  }
  if (request.body === null) return new Uint8Array();
  const reader = request.body.getReader();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('too slow')), WITHIN_MS);
  let body: Uint8Array = new Uint8Array();
  let total = 0;
  try {
    for (let pieces = 0; ; pieces += 1) {
      const { done, value: chunk } = await Promise.race([reader.read(), late]).catch(brokenOff);
      if (done) return body.subarray(0, total);
      const length = total + chunk.byteLength;
      if (length > maxBytes) throw tooLarge(maxBytes, remedy);
      if (pieces >= PIECES_MAX)
        throw new RequestError('INVALID_INPUT', `The body came in more than ${PIECES_MAX} pieces.`);
      // Nearly every body is one chunk. A body of a thousand costs no more than its bytes.
      if (total === 0) body = chunk;
      else {
        if (length > body.byteLength) body = grown(body, total, 2 * length);
        body.set(chunk, total);
      }
      total = length;
    }
  } catch (error) {
    // Not awaited: neither the rest of the body nor how its sending ends matters.
    reader.cancel().catch(() => {});
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Parses a body as JSON. @throws RequestError INVALID_INPUT */
export function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes));
  } catch {
    throw new RequestError('INVALID_INPUT', 'The body is not JSON in UTF-8.');
  }
}

function brokenOff(error: unknown): never {
  throw new RequestError(
    'INVALID_INPUT',
    `The body did not arrive whole within ${WITHIN_MS / 1_000} seconds.`,
    {},
    error,
  );
}

/** A longer array that begins with these bytes. */
function grown(bytes: Uint8Array, length: number, size: number): Uint8Array {
  const longer = new Uint8Array(size);
  longer.set(bytes.subarray(0, length));
  return longer;
}

function tooLarge(maxBytes: number, remedy: string | undefined): RequestError {
  const what = `The body is larger than ${maxBytes} bytes`;
  return new RequestError('BODY_TOO_LARGE', remedy === undefined ? `${what}.` : `${what}: ${remedy}.`);
}
