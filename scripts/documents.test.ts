import { access, readFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { keptIn } from './testing/kept-in.ts';
import { ENDS, KEPT } from './testing/kept-state.ts';

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

/** SECURITY.md, "What outlives a batch". */
const OUTLIVES = /^## What outlives a batch$([\s\S]*?)^`scripts\/documents/m;
const ROW = /^\| ([^|]+) \| [^|]+ \| [^|]+ \| [^|]+ \| ([^|]+) \| ([^|]+) \|$/gm;

async function rowsOfMemory() {
  const [, section = ''] = OUTLIVES.exec(await readFile(join(ROOT, 'SECURITY.md'), 'utf8')) ?? [];
  const rows = [...section.matchAll(ROW)].map(([, what = '', bound = '', tests = '']) => ({ what, bound, tests }));
  return rows.slice(1);
}

/** `file name` of each, the file by its folder and its own name. */
function placesIn(text: string): readonly string[] {
  return text.split(/[;\n]/).flatMap((part) => {
    const [file = '', ...names] = part.trim().split(' ');
    return names.map((name) => `${file} ${name}`);
  });
}

const kept = KEPT.trim()
  .split('\n')
  .map((line) => line.split(': '));

test('whatever in edge and prober can remember something is in the list of SECURITY.md’s rows, or ends with what it serves', async () => {
  const code = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'edge', 'prober'], { cwd: ROOT })
    .toString()
    .split('\n')
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.ts$|\/testing\/|^edge\/(?:dashboard|local)\//.test(file));
  const found: string[] = [];
  for (const file of code) {
    const text = await readFile(join(ROOT, file), 'utf8').catch(() => '');
    found.push(...keptIn(file, text).map((name) => `${file.split('/').slice(-2).join('/')} ${name}`));
  }
  const listedPlaces = [...kept.flatMap(([, places = '']) => placesIn(places)), ...placesIn(ENDS)];
  expect(found.toSorted()).toEqual(listedPlaces.toSorted());
});

test('each of them names a row that is there', async () => {
  const rows = await rowsOfMemory();
  for (const [row = ''] of kept)
    expect(
      rows.filter(({ what }) => what.startsWith(row)),
      row,
    ).toHaveLength(1);
});

test('each row of what outlives a batch has a bound, and tests that attack it', async () => {
  const rows = await rowsOfMemory();
  expect(rows.length).toBeGreaterThan(60);
  for (const { what, bound, tests } of rows) {
    expect(bound.trim(), what).not.toBe('');
    const names = [...tests.matchAll(IN_BACKTICKS)].map(([, file = '']) => file);
    expect(names.length, what).toBeGreaterThan(0);
    for (const name of names) expect(await readFile(join(ROOT, name), 'utf8'), what).toMatch(/\b(?:test|it)\b/);
  }
});
