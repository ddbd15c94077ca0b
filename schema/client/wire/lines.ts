// Bytes to lines, in bounded memory.

/** Far more than a result with the longest possible entry. */
const LINE_BYTES_MAX = 131_072;
const LINE_FEED = 0x0a;

/**
 * The lines of a body as they come, without line feeds and empty lines. What follows the last line feed is not a line.
 * @param signal ends the lines, even if the stream goes on
 * @returns null for a line that is too long or not UTF-8
 * @throws what the stream throws
 */
export async function* readLines(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<string | null, void, undefined> {
  const reader = body.getReader();
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  let parts: Uint8Array[] = [];
  let length = 0;
  const stop = (): void => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', stop);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || signal.aborted) return;
      let start = 0;
      for (let end = value.indexOf(LINE_FEED); end >= 0; end = value.indexOf(LINE_FEED, start)) {
        parts.push(value.subarray(start, end));
        length += end - start;
        if (length > 0) yield length > LINE_BYTES_MAX ? null : decode(utf8, parts, length);
        parts = [];
        length = 0;
        start = end + 1;
      }
      length += value.length - start;
      if (length > LINE_BYTES_MAX) parts = [];
      else if (start < value.length) parts.push(value.slice(start));
    }
  } finally {
    // If the caller stops early, the server can stop too.
    signal.removeEventListener('abort', stop);
    stop();
  }
}

function decode(utf8: TextDecoder, parts: readonly Uint8Array[], length: number): string | null {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  try {
    return utf8.decode(whole);
  } catch {
    return null;
  }
}
