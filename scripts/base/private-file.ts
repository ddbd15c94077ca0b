import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '../../prober/base/make-folder.ts';
import { replaceFile } from './replace-file.ts';

/**
 * Writes a file that its owner alone can read, from its first byte on, in a folder that is made if there is none. An existing
 * one is replaced whole, or, if this fails, stays.
 * @throws the system's error
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  makeFolder(dirname(path), 0o700);
  const fresh = `${path}.${randomBytes(4).toString('hex')}`;
  try {
    await writeFile(fresh, text, { mode: 0o600, flag: 'wx', flush: true });
    await replaceFile(fresh, path);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}
