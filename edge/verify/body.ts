import { RequestError } from '../../schema/errors.ts';

/**
 * Reads a request's body, and never more of it than is allowed.
 * @param maxBytes the most that is read
 * @returns the bytes; none where there is no body
 * @throws RequestError BODY_TOO_LARGE; INVALID_INPUT where the body breaks off
 */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array> {
  const length = request.headers.get('content-length');
  if (Number(length ?? 0) > maxBytes) throw tooLarge(maxBytes);
  if (request.body === null) return new Uint8Array();
  return length === null ? readCounting(request.body, maxBytes) : readDeclared(request, maxBytes);
}

/** HTTP hands on no more than Content-Length says (RFC 9112 §6.2), and one read costs less than several. */
async function readDeclared(request: Request, maxBytes: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(await orBroken(request.arrayBuffer()));
  if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes);
  return bytes;
}

async function readCounting(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let total = 0;
  for (;;) {
    const chunk = await orBroken(reader.read());
    if (chunk.done) break;
    total += chunk.value.byteLength;
    if (total > maxBytes) {
      // Not waited for: the rest of the body is of no interest, nor is how its sending ends.
      reader.cancel().catch(() => {});
      throw tooLarge(maxBytes);
    }
    chunks.push(chunk.value);
  }
  return concat(chunks, total);
}

async function orBroken<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    throw new RequestError('INVALID_INPUT', 'The body broke off.', {}, error);
  }
}

function concat(chunks: readonly Uint8Array[], total: number): Uint8Array {
  const bytes = new Uint8Array(total);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

function tooLarge(maxBytes: number): RequestError {
  return new RequestError('BODY_TOO_LARGE', `The body is larger than ${maxBytes} bytes: split the batch.`);
}
