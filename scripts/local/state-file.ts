import { readFile } from 'node:fs/promises';
import type * as z from 'zod';
import { parseJson } from '../../schema/parse-json.ts';
import { writePrivateFile } from '../base/private-file.ts';
import { StartError } from './start-error.ts';

// Files of the state folder hold keys in plain text: readable by their owner only, and written atomically.

/**
 * Reads a file of the state folder.
 * @returns what is in it, null if there is none
 * @throws StartError if it cannot be read or parsed
 */
export async function readStateFile<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new StartError(`${path} cannot be read: fix its permissions, or name another folder with --state.`, error);
  }
  const parsed = schema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new StartError(`${path} is damaged: restore it, or start fresh with another --state.`);
}

/**
 * Writes a file of the state folder, mode 0600. If the process is killed meanwhile, the old file stays.
 * @throws StartError if the disk is full, or may not be written
 */
export async function writeStateFile(path: string, content: object): Promise<void> {
  await writePrivateFile(path, `${JSON.stringify(content, null, 2)}\n`).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new StartError(`${path} cannot be written (${code}): make room, or name another folder with --state.`, error);
  });
}
