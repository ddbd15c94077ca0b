import { access, readFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** A path in backticks, folder and file. */
const IN_BACKTICKS = /`([a-z][a-z0-9._-]*\/[a-z0-9./_-]*\.(?:ts|md|toml))`/g;
/** Line comments, and block comments that begin a line: a glob in a string is none. */
const COMMENT = /(?:^|\s)\/\/ .*$|^\s*\/\*\*?[\s\S]*?\*\//gm;
const FILE = /(?<![\w/.*-])(?:\.{1,2}\/)*[a-z][\w/-]*(?:\.[\w-]+)*\.(?:ts|md|toml|sql)(?![\w*])/gi;

const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md', '*.ts'], { cwd: ROOT });
const files = listed.toString().trim().split('\n');

/** A file may be named from the root, from its own folder, or from one between the two. */
async function exists(path: string, from: string): Promise<boolean> {
  for (let folder = dirname(from); ; folder = dirname(folder)) {
    const found = await access(join(ROOT, folder, path)).then(
      () => true,
      () => false,
    );
    if (found || folder === '.') return found;
  }
}

async function missingOf(file: string, names: Iterable<string>): Promise<readonly string[]> {
  const missing: string[] = [];
  for (const name of new Set(names)) if (!(await exists(name, file))) missing.push(name);
  return missing;
}

test.each(files.filter((file) => file.endsWith('.md')))('every file that %s names is there', async (file) => {
  const text = await readFile(join(ROOT, file), 'utf8');
  const names = [...text.matchAll(IN_BACKTICKS)].map(([, path]) => path ?? '');
  expect(await missingOf(file, names)).toEqual([]);
});

test('every file that a comment names is there', async () => {
  const stale: Record<string, readonly string[]> = {};
  for (const file of files.filter((name) => name.endsWith('.ts'))) {
    const text = await readFile(join(ROOT, file), 'utf8').catch(() => '');
    const comments = [...text.matchAll(COMMENT)].map(([comment]) => comment).join('\n');
    const missing = await missingOf(
      file,
      [...comments.matchAll(FILE)].map(([name]) => name),
    );
    if (missing.length > 0) stale[file] = missing;
  }
  expect(stale).toEqual({});
});
