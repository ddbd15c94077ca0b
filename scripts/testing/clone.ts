import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Copies what Git tracks into an empty folder and links the installed packages in: a clone after `npm install`. */
export async function makeClone(): Promise<string> {
  const clone = await mkdtemp(join(tmpdir(), 'rcpt-clone-'));
  const { stdout } = await promisify(execFile)('git', ['ls-files', '-z'], { cwd: ROOT, maxBuffer: 2 ** 24 });
  for (const file of stdout.split('\0').filter((path) => path !== '')) {
    await mkdir(dirname(join(clone, file)), { recursive: true });
    await cp(join(ROOT, file), join(clone, file));
  }
  // Each package by itself, so that the clone has caches of its own.
  await mkdir(join(clone, 'node_modules'));
  for (const name of await readdir(join(ROOT, 'node_modules')))
    if (name !== '.cache') await symlink(join(ROOT, 'node_modules', name), join(clone, 'node_modules', name));
  return clone;
}

/** Every file below a folder, ignored ones too, without what links lead to. */
export async function filesBelow(folder: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  return new Set(files.map((entry) => relative(folder, join(entry.parentPath, entry.name))));
}
