import { isUtf8 } from 'node:buffer';

/** No address is a hundredth as long. A longer line is cut here, which leaves it as invalid as it was. */
export const LINE_BYTES_MAX = 16_384;
const LINE_FEED = 0x0a;

/** One line of the input, without its end; `text` is null if it is not UTF-8. */
export type Line = { readonly text: string | null; readonly shown: string };

/**
 * Splits a byte stream into lines, chunk by chunk: all whole lines of a chunk are given out at once.
 * Lines end with LF or CR LF; the last may end with the input. Memory is bounded for any input.
 */
export class LineSplitter {
  #rest: Buffer[] = [];
  #restBytes = 0;

  push(chunk: Uint8Array): Line[] {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const lines: Line[] = [];
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
      this.#keep(bytes.subarray(start, end));
      lines.push(this.#endLine());
      start = end + 1;
    }
    this.#keep(Buffer.from(bytes.subarray(start)));
    return lines;
  }

  /** What stands behind the last line end. */
  end(): Line[] {
    return this.#restBytes === 0 ? [] : [this.#endLine()];
  }

  #keep(part: Buffer): void {
    const room = LINE_BYTES_MAX - this.#restBytes;
    if (part.length === 0 || room <= 0) return;
    this.#rest.push(part.subarray(0, room));
    this.#restBytes += Math.min(room, part.length);
  }

  #endLine(): Line {
    const [only] = this.#rest;
    const bytes = this.#rest.length === 1 && only !== undefined ? only : Buffer.concat(this.#rest);
    this.#rest = [];
    this.#restBytes = 0;
    const shown = bytes.toString('utf8');
    return { text: isUtf8(bytes) ? shown : null, shown };
  }
}
