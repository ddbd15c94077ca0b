import { execFileSync } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { TODAY } from './host.ts';

/**
 * Puts a host's code as a commit had it into a new folder, with the libraries of today.
 * @returns the folder
 * @throws Error if this is not a repository, or does not have the commit
 */
export async function takeOlderCode(commit: string, folder: string): Promise<string> {
  await mkdir(folder);
  try {
    const archive = execFileSync('git', ['archive', commit, 'prober', 'schema', 'package.json'], {
      cwd: TODAY,
      maxBuffer: 2 ** 28,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    execFileSync('tar', ['x', '-C', folder], { input: archive });
  } catch (error) {
    throw new Error(`${commit} cannot be read: --older names a commit of this repository, which must be here`, {
      cause: error,
    });
  }
  await symlink(join(TODAY, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}
