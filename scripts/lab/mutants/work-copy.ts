import { rmSync } from 'node:fs';
import { copyFile, glob, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';

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

const LEFT_OUT = /^(?:node_modules|coverage|\..+)$/;

/** Every file below `root` but what is installed, built or hidden. */
export async function readTree(root: string): Promise<Tree> {
  const files: string[] = [];
  const found = glob('**', { cwd: root, withFileTypes: true, exclude: ({ name }) => LEFT_OUT.test(name) });
  for await (const entry of found)
    if (entry.isFile()) files.push(relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, '/'));
  const sources = files.filter((file) => file.endsWith('.ts'));
  const texts = sources.map(async (file) => [file, await readFile(join(root, file), 'utf8')] as const);
  return { root, files: files.toSorted(), sources: new Map(await Promise.all(texts)) };
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
