import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

// The command as it is run, in a tree of one source.

const COMMAND = fileURLToPath(new URL('../mutants.ts', import.meta.url));
const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const SOURCE = 'export const isOfAge = (age: number): boolean => age >= 18;\n';
const TREE = {
  '.gitignore': 'node_modules',
  'package.json': '{ "type": "module" }',
  'vitest.config.ts': `export default { test: { projects: [{ test: { name: 'unit', include: ['**/*.test.ts'] } }] } };`,
  'age.ts': SOURCE,
  'age.test.ts': `
    import { expect, it } from 'vitest';
    import { isOfAge } from './age.ts';
    it('is of age', () => { expect([isOfAge(17), isOfAge(40)]).toEqual([false, true]); });`,
};

it('names the bugs that no test sees, and leaves nothing behind', { timeout: 120_000 }, async () => {
  const root = await mkdtemp(join(tmpdir(), 'mutants-tree-'));
  const temporary = await mkdtemp(join(tmpdir(), 'mutants-copies-'));
  for (const [file, text] of Object.entries(TREE)) await writeFile(join(root, file), text);
  await symlink(MODULES, join(root, 'node_modules'), 'dir');
  execFileSync('git', ['init', '--quiet'], { cwd: root });
  // Not the variables of the vitest that runs this.
  const env = { PATH: process.env['PATH'], TMPDIR: temporary };
  const args = [COMMAND, 'age.ts', '--at-least', '90'];
  const ended: unknown = await promisify(execFile)(process.execPath, args, { cwd: root, env }).catch(
    (error: unknown) => error,
  );
  expect(ended).toMatchObject({
    code: 1,
    stdout: 'age.ts:1  age >= 18  →  (age > 18)\n4 of 5 caught, 1 lived\n',
  });
  expect(await readFile(join(root, 'age.ts'), 'utf8')).toBe(SOURCE);
  expect(await readdir(temporary)).toEqual([]);
  await rm(root, { recursive: true });
  await rm(temporary, { recursive: true });
});
