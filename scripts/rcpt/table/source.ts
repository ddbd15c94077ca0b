import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { Failure } from '../failure/failure.ts';
import { systemCode } from '../failure/explain.ts';

/** Enough to tell what a file is and how it is written. */
const START_BYTES = 65_536;

/** Bytes that can be read more than once, from their beginning. */
export type Source = {
  /** As the user knows it. */
  readonly name: string;
  /** The first 64 KiB, or all of it. */
  readonly start: () => Promise<Uint8Array>;
  readonly bytes: () => AsyncIterable<Uint8Array>;
};

/** What stands at a path: a file of any size, or a pipe, which is kept in memory. @throws Failure */
export async function pathSource(path: string): Promise<Source> {
  const found = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  return found.isFile() || found.isDirectory() ? fileSource(path) : streamSource(path, createReadStream(path));
}

function fileSource(path: string): Source {
  return {
    name: path,
    start: async () => {
      try {
        const file = await open(path, 'r');
        try {
          const { bytesRead, buffer } = await file.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0);
          return buffer.subarray(0, bytesRead);
        } finally {
          await file.close();
        }
      } catch (error) {
        throw unreadable(path, error);
      }
    },
    bytes: async function* () {
      try {
        const chunks: AsyncIterable<Uint8Array> = createReadStream(path);
        yield* chunks;
      } catch (error) {
        throw unreadable(path, error);
      }
    },
  };
}

/** What comes only once, such as standard input, is kept in memory. @throws Failure */
export async function streamSource(name: string, stream: AsyncIterable<Uint8Array>): Promise<Source> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk);
      size += chunk.length;
    }
  } catch (error) {
    throw unreadable(name, error);
  }
  return {
    name,
    start: async () => Buffer.concat(chunks, size).subarray(0, START_BYTES),
    bytes: async function* () {
      yield* chunks;
    },
  };
}

function unreadable(name: string, error: unknown): unknown {
  const code = systemCode(error);
  if (code === null) return error;
  if (code === 'ENOENT') return new Failure('input', `${name}: there is no such file.${hintFor(name)}`);
  return new Failure('input', `${name} cannot be read (${code}).`);
}

function hintFor(name: string): string {
  return /^[^\s/]+@[^\s/]+$/.test(name) ? ' For a single address: echo ADDRESS | rcpt verify -' : '';
}
