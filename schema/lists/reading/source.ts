/** A file with random access, more than once: the port for a browser's file, a file on disk and buffered standard input. */
export type Source = {
  /** As the user knows it. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** The bytes from `from` up to `to`, or fewer where the file ends. */
  readonly read: (from: number, to: number) => Promise<Uint8Array<ArrayBuffer>>;
};

/** Enough to recognize the format. */
export const START_BYTES = 65_536;
/** Read and parsed at once, in some milliseconds. */
const PIECE_BYTES = 131_072;

/** From the first byte to the last, in bounded pieces. */
export async function* bytesOf(source: Source): AsyncGenerator<Uint8Array, undefined> {
  for (let at = 0; ;) {
    const piece = await source.read(at, at + PIECE_BYTES);
    if (piece.length === 0) return;
    yield piece;
    at += piece.length;
  }
}
