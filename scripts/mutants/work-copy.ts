import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

export type Tree = {
  readonly root: string;
  readonly files: readonly string[];
  /** The text of each TypeScript file. */
  readonly sources: ReadonlyMap<string, string>;
};

/** A copy of the tree to put bugs into: the tree itself is only read. */
export type WorkCopy = {
  readonly root: string;
  readonly write: (file: string, source: string) => Promise<void>;
  readonly remove: () => void;
};

const LIST_BYTES_MAX = 64 * 1024 * 1024;

/** @param root of a git work tree: its files as they are now, those that git does not know yet among them */
export async function readTree(root: string): Promise<Tree> {
  const known = await gitList(root, ['--cached', '--others', '--exclude-standard', '--deduplicate']);
  const deleted = new Set(await gitList(root, ['--deleted']));
  const files = known.filter((file) => !deleted.has(file));
  const sources = files.filter((file) => file.endsWith('.ts'));
  const texts = sources.map(async (file) => [file, await readFile(join(root, file), 'utf8')] as const);
  return { root, files, sources: new Map(await Promise.all(texts)) };
}

async function gitList(root: string, options: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)('git', ['ls-files', '-z', ...options], {
    cwd: root,
    maxBuffer: LIST_BYTES_MAX,
  });
  return stdout.split('\0').filter((file) => file !== '');
}

/** Copies the tree into a temporary folder, and links `node_modules` there. */
export async function copyTree({ root, files }: Tree): Promise<WorkCopy> {
  const copy = await mkdtemp(join(tmpdir(), 'rcpt-mutants-'));
  const folders = new Set(files.map((file) => dirname(join(copy, file))));
  for (const folder of folders) await mkdir(folder, { recursive: true });
  await Promise.all(files.map((file) => copyFile(join(root, file), join(copy, file))));
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'), 'dir');
  return {
    root: copy,
    write: (file, source) => writeFile(join(copy, file), source),
    remove: () => rmSync(copy, { recursive: true, force: true }),
  };
}
