import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Keeper } from './keeper.ts';

/** Copies the root of a server into the run's folder, so that what it writes is this run's alone; returns the path. */
export async function copyRoot(installed: string, keeper: Keeper, name: string): Promise<string> {
  const root = join(keeper.folder, name);
  await promisify(execFile)('cp', ['-a', installed, root]);
  return root;
}
