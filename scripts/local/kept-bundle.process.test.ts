import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keptBundle } from '../../edge/local/kept-bundle.ts';

let root: string;
let entry: string;
let folder: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'rcpt-kept-'));
  entry = join(root, 'entry.ts');
  folder = join(root, 'kept');
  await writeFile(entry, "import { said } from './said.ts'; console.log(said);");
  await say('first');
});
afterEach(() => rm(root, { recursive: true }));

const say = (what: string): Promise<void> => writeFile(join(root, 'said.ts'), `export const said = '${what}';`);
/** As if files had changed long ago. */
const bundle = (settledMs = -60_000): Promise<string> =>
  keptBundle({ entryPoints: [entry], format: 'esm' }, { folder, settledMs });
/** Writes something else where the bundle is kept. */
async function replaceKept(by: (kept: string) => string): Promise<void> {
  const [file = 'none'] = await readdir(folder);
  await writeFile(join(folder, file), by(await readFile(join(folder, file), 'utf8')));
}

test('a bundle is taken again while no file of it has changed', async () => {
  expect(await bundle()).toContain('first');
  await replaceKept((kept) => kept.replace('first', 'kept'));
  expect(await bundle()).toContain('kept');
});

test('it is made anew if a file of it has changed, or is gone', async () => {
  await bundle();
  await say('other');
  expect(await bundle()).toContain('other');
  await rm(join(root, 'said.ts'));
  await expect(bundle()).rejects.toThrow('Could not resolve');
});

test('it is made anew if what is kept cannot be read', async () => {
  await bundle();
  await replaceKept((kept) => kept.slice(0, 40));
  expect(await bundle()).toContain('first');
});

test('one of files that changed a moment ago is not kept', async () => {
  expect(await bundle(2_000)).toContain('first');
  await expect(readdir(folder)).rejects.toThrow('ENOENT');
});
