import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemCode } from '../failure/explain.ts';
import { Failure } from '../failure/failure.ts';

/** Records that are gathered in memory before they go to the disk: a multiple of each record's size is used. */
const CHUNK_BYTES = 8_192;

type Bucket = { readonly tail: Buffer; filled: number; readonly chunks: number[] };

/**
 * Records of one size, by bucket, in the order in which they came. What does not fit into a few pages of memory for each
 * bucket is in a file without a name in the system's folder for such files.
 */
export class Spill {
  readonly #recordBytes: number;
  readonly #chunkBytes: number;
  readonly #buckets = new Map<number, Bucket>();
  #file: number | null = null;
  #chunks = 0;

  constructor(recordBytes: number) {
    this.#recordBytes = recordBytes;
    this.#chunkBytes = Math.floor(CHUNK_BYTES / recordBytes) * recordBytes;
  }

  get buckets(): Iterable<number> {
    return this.#buckets.keys();
  }

  /** @throws Failure */
  add(number: number, record: Uint8Array): void {
    const bucket = this.#buckets.get(number) ?? { tail: Buffer.allocUnsafe(this.#chunkBytes), filled: 0, chunks: [] };
    if (bucket.filled === 0) this.#buckets.set(number, bucket);
    bucket.tail.set(record, bucket.filled);
    bucket.filled += this.#recordBytes;
    if (bucket.filled < this.#chunkBytes) return;
    const file = this.#opened();
    io(() => writeSync(file, bucket.tail, 0, this.#chunkBytes, this.#chunks * this.#chunkBytes));
    bucket.chunks.push(this.#chunks);
    this.#chunks += 1;
    bucket.filled = 0;
  }

  /** The records of a bucket; each is valid until the next is taken. @throws Failure */
  *records(number: number): Generator<Buffer, undefined> {
    const bucket = this.#buckets.get(number);
    if (bucket === undefined) return;
    const chunk = Buffer.allocUnsafe(this.#chunkBytes);
    for (const at of bucket.chunks) {
      const file = this.#opened();
      io(() => readSync(file, chunk, 0, this.#chunkBytes, at * this.#chunkBytes));
      yield* this.#cut(chunk, this.#chunkBytes);
    }
    yield* this.#cut(bucket.tail, bucket.filled);
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  *#cut(chunk: Buffer, end: number): Generator<Buffer, undefined> {
    for (let at = 0; at < end; at += this.#recordBytes) yield chunk.subarray(at, at + this.#recordBytes);
  }

  #opened(): number {
    this.#file ??= io(() => {
      const folder = mkdtempSync(join(tmpdir(), 'rcpt-'));
      try {
        return openSync(join(folder, 'rows'), 'wx+', 0o600);
      } finally {
        // It lives as long as it is open, and no longer than this process.
        rmSync(folder, { recursive: true, force: true });
      }
    });
    return this.#file;
  }
}

function io<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const code = systemCode(error);
    if (code === null) throw error;
    throw new Failure(
      'output',
      `The folder ${tmpdir()} cannot be used for temporary files (${code}): free some space, or name another in TMPDIR.`,
    );
  }
}
