import { RequestError } from '../../schema/errors.ts';

/** What has a body: a request, or the answer to one of ours. */
type Carrier = Pick<Request, 'body'> & { readonly headers: Pick<Headers, 'get'> };

/**
 * Reads a body, counting the bytes as they arrive.
 * @param maxBytes the most that is read, even if Content-Length says more
 * @param remedy what the sender of a longer one is told to do, if there is anything
 * @returns the bytes; none if there is no body
 * @throws RequestError BODY_TOO_LARGE; INVALID_INPUT if the body breaks off
 */
export async function readBody(request: Carrier, maxBytes: number, remedy?: string): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes, remedy);
  if (request.body === null) return new Uint8Array();
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let total = 0;
  for (;;) {
    const chunk = await readChunk(reader);
    if (chunk === null) break;
    total += chunk.byteLength;
    if (total > maxBytes) {
      // Not waited for: the rest of the body is of no interest, nor is how its sending ends.
      reader.cancel().catch(() => {});
      throw tooLarge(maxBytes, remedy);
    }
    chunks.push(chunk);
  }
  return concat(chunks, total);
}

/**
 * What a body says in JSON.
 * @throws RequestError INVALID_INPUT
 */
export function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes));
  } catch {
    throw new RequestError('INVALID_INPUT', 'The body is not JSON in UTF-8.');
  }
}

async function readChunk(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array | null> {
  try {
    const { done, value } = await reader.read();
    return done ? null : value;
  } catch (error) {
    throw new RequestError('INVALID_INPUT', 'The body ended early.', {}, error);
  }
}

function concat(chunks: readonly Uint8Array[], total: number): Uint8Array {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only;
  const bytes = new Uint8Array(total);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

function tooLarge(maxBytes: number, remedy: string | undefined): RequestError {
  const what = `The body is larger than ${maxBytes} bytes`;
  return new RequestError('BODY_TOO_LARGE', remedy === undefined ? `${what}.` : `${what}: ${remedy}.`);
}
