import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TODAY } from './host.ts';

export type OlderCode = { readonly folder: string; readonly remove: () => Promise<void> };

/**
 * A host's code as a commit had it, with the libraries of today.
 * @throws Error if this is no repository, or does not have the commit
 */
export async function takeOlderCode(commit: string): Promise<OlderCode> {
  const folder = await mkdtemp(join(tmpdir(), 'rcpt-older-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true });
  try {
    const archive = execFileSync('git', ['archive', commit, 'prober', 'schema', 'package.json'], {
      cwd: TODAY,
      maxBuffer: 2 ** 28,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    execFileSync('tar', ['x', '-C', folder], { input: archive });
    await symlink(join(TODAY, 'node_modules'), join(folder, 'node_modules'));
    return { folder, remove };
  } catch (error) {
    await remove();
    throw new Error(`git archive ${commit} failed: --older names a commit of this repository`, { cause: error });
  }
}
