/** Far more than a result with the longest possible entry. */
const LINE_CHARACTERS_MAX = 131_072;

/**
 * The lines of a body as they come, in bounded memory, without line feeds and empty lines. What follows the last line feed is
 * not a line. Of one that is too long there is only its beginning.
 * @throws what the stream throws
 */
export async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader();
  const utf8 = new TextDecoder();
  let line = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      for (const [nth, piece] of utf8.decode(value, { stream: true }).split('\n').entries()) {
        if (nth > 0) {
          if (line !== '') yield line;
          line = '';
        }
        if (line.length < LINE_CHARACTERS_MAX) line += piece;
      }
    }
  } finally {
    // If the caller stops early, the server can stop too.
    reader.cancel().catch(() => {});
  }
}
