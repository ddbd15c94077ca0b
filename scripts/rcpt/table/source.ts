import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { Source } from '../../../schema/lists/reading/source.ts';
import { Failure, systemCode } from '../failure/failure.ts';

/** What stands at a path: a file of any size, or a pipe, which is kept in memory. @throws Failure */
export async function pathSource(path: string): Promise<Source> {
  const found = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  return found.isFile() || found.isDirectory()
    ? fileSource(path, found.size)
    : streamSource(path, createReadStream(path));
}

function fileSource(path: string, size: number): Source {
  return {
    name: path,
    size,
    read: async (from, to) => {
      try {
        const file = await open(path, 'r');
        try {
          const { bytesRead, buffer } = await file.read(Buffer.alloc(to - from), 0, to - from, from);
          return buffer.subarray(0, bytesRead);
        } finally {
          await file.close();
        }
      } catch (error) {
        throw unreadable(path, error);
      }
    },
  };
}

/** What comes only once, such as standard input, is kept in memory. @throws Failure */
export async function streamSource(name: string, stream: AsyncIterable<Uint8Array>): Promise<Source> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of stream) chunks.push(chunk);
  } catch (error) {
    throw unreadable(name, error);
  }
  const all = Buffer.concat(chunks);
  return { name, size: all.length, read: async (from, to) => all.subarray(from, to) };
}

function unreadable(name: string, error: unknown): unknown {
  const code = systemCode(error);
  if (code === null) return error;
  if (code === 'ENOENT') return new Failure('input', `${name}: there is no such file.`);
  if (code === 'EISDIR') return new Failure('input', `${name} is a folder: name a file in it.`);
  return new Failure('input', `${name} cannot be read (${code}).`);
}
