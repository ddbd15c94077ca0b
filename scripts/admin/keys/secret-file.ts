import { type FileHandle, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '../../../prober/base/make-folder.ts';
import { UsageError } from '../../base/usage-error.ts';

// Files that hold a private key: written once, readable by their owner only.

const OWNER_ONLY = 0o600;
const OTHERS = 0o077;
const BYTES_MAX = 65_536;

/**
 * Reserves the file for a secret before the secret is generated, so that none is generated that cannot be stored. An existing file is
 * never touched.
 * @returns `write` fills it, `abandon` removes it again
 * @throws UsageError if the file exists or cannot be made
 */
export async function reserveSecretFile(path: string): Promise<{
  write(text: string): Promise<void>;
  abandon(): Promise<void>;
}> {
  const file = await create(path);
  return {
    async write(text) {
      try {
        await file.writeFile(text);
        await file.sync();
      } catch (error) {
        refuse(path, error);
      } finally {
        await file.close();
      }
    },
    async abandon() {
      await file.close();
      await rm(path, { force: true });
    },
  };
}

async function create(path: string): Promise<FileHandle> {
  try {
    makeFolder(dirname(path), 0o700);
  } catch (error) {
    refuse(dirname(path), error);
  }
  return open(path, 'wx', OWNER_ONLY).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') return refuse(path, error);
    throw new UsageError(`${path} exists and is never overwritten: name another file with --out`);
  });
}

function refuse(path: string, error: unknown): never {
  throw new UsageError(`${path} cannot be written (${codeOf(error)}): name another file with --out`);
}

/** The text of a secret file. @throws UsageError if it is not there, too large, or others may read it */
export async function readSecretFile(path: string, whatToDo: string): Promise<string> {
  try {
    const file = await open(path, 'r');
    try {
      const stats = await file.stat();
      const { mode, size } = stats;
      if (!stats.isFile()) throw new UsageError(`${path} is not a file: ${whatToDo}`);
      if ((mode & OTHERS) !== 0)
        throw new UsageError(`${path} can be read by other users: if it is your key, run chmod 600 ${path}`);
      if (size > BYTES_MAX) throw new UsageError(`${path} is not a key file: it is ${size} bytes long`);
      return await file.readFile('utf8');
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${path} cannot be read (${codeOf(error)}): ${whatToDo}`);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}
