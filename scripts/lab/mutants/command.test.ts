import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestProcess } from './test-process.ts';

// The command as it is run, in a tree of one source.

const COMMAND = fileURLToPath(new URL('../mutants.ts', import.meta.url));
const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));
/** Processes start slowly on a busy machine. */
const PATIENCE_MS = 60_000;

const SOURCE = 'export const reaches = (age: number, limit: number): boolean => (age < limit) === false;\n';
const TREE = {
  'package.json': '{ "type": "module" }',
  'vitest.config.ts': `export default { test: { projects: [{ test: { name: 'unit', include: ['**/*.test.ts'] } }] } };`,
  'age.ts': SOURCE,
  'age.test.ts': `
    import { expect, it } from 'vitest';
    import { reaches } from './age.ts';
    import { NONE } from './none.ts';
    it('compares', () => { expect([reaches(17, 18 + NONE), reaches(40, 18)]).toEqual([false, true]); });`,
  'none.ts': 'export const NONE = 0;\n',
  'endless.test.ts': `
    import { it } from 'vitest';
    it('never ends', () => { for (;;); });`,
  'deadly.test.ts': `
    import { it } from 'vitest';
    it('takes everything along', () => { process.kill(0, 'SIGKILL'); });`,
};

let root: string;
/** Where the command makes its copies. */
let temporary: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'mutants-tree-'));
  temporary = await mkdtemp(join(tmpdir(), 'mutants-copies-'));
  for (const [file, text] of Object.entries(TREE)) await writeFile(join(root, file), text);
  await symlink(MODULES, join(root, 'node_modules'), 'dir');
});
afterEach(() => Promise.all([root, temporary].map((folder) => rm(folder, { recursive: true, force: true }))));

type Ended = { readonly code: number | null; readonly out: string; readonly err: string };

/** @param last what the command is interrupted after; null to let it end */
async function run(args: readonly string[], last: RegExp | null, signal: 'SIGINT' | 'SIGKILL'): Promise<Ended> {
  // Not the variables of the vitest that runs this.
  const env = { PATH: process.env['PATH'], TMPDIR: temporary };
  const child = spawn(process.execPath, [COMMAND, ...args], { cwd: root, env });
  let [out, err] = ['', ''];
  child.stdout.on('data', (bytes) => (out += String(bytes)));
  child.stderr.on('data', (bytes) => {
    err += String(bytes);
    if (last?.test(err) === true && !child.killed) child.kill(signal);
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, out, err };
}

describe('mutants', () => {
  it('names the bugs that no test sees, and catches the others', { timeout: PATIENCE_MS }, async () => {
    const { code, out } = await run(['.', '--json', '--at-least', '51'], null, 'SIGINT');
    expect(JSON.parse(out)).toMatchObject({
      files: [
        { file: 'age.ts', mutants: 3, caught: 2, lived: 1, percent: 66.6 },
        // What the file before was last made into is not there any more.
        { file: 'none.ts', mutants: 1, caught: 0, lived: 1, percent: 0 },
      ],
      survivors: [
        { file: 'age.ts', line: 1, before: SOURCE.trim(), after: SOURCE.trim().replace('<', '<=') },
        { file: 'none.ts', line: 1, before: 'export const NONE = 0;', after: 'export const NONE = 1;' },
      ],
    });
    expect(code).toBe(1);
    expect(await readdir(temporary)).toEqual([]);
  });

  it.each([
    ['is interrupted', 'SIGINT', 1, 'mutants: ended by SIGINT\n'],
    ['is killed', 'SIGKILL', null, ''],
  ] as const)('leaves nothing behind when it %s', { timeout: PATIENCE_MS }, async (_, signal, code, says) => {
    const ended = await run(['age.ts'], /age\.ts: age\.test\.ts/, signal);
    expect([ended.code, ended.out]).toEqual([code, '']);
    expect(ended.err.endsWith(says)).toBe(true);
    expect(await readFile(join(root, 'age.ts'), 'utf8')).toBe(SOURCE);
    await expect.poll(() => readdir(temporary), { timeout: PATIENCE_MS }).toEqual([]);
  });
});

describe('TestProcess', () => {
  it('survives tests that never end or take their process along', { timeout: PATIENCE_MS }, async () => {
    const tests = new TestProcess(root, ['unit']);
    try {
      expect([...(await tests.listTests()).keys()].toSorted()).toEqual([
        'age.test.ts',
        'deadly.test.ts',
        'endless.test.ts',
      ]);
      expect(await tests.run(['endless.test.ts'], null, 1_000)).toEqual({ kind: 'timeout' });
      expect(await tests.run(['age.test.ts'], null, PATIENCE_MS)).toEqual({ kind: 'passed' });
      expect(await tests.run(['deadly.test.ts'], null, PATIENCE_MS)).toEqual({ kind: 'timeout' });
      expect(await tests.run(['age.test.ts'], null, PATIENCE_MS)).toEqual({ kind: 'passed' });
    } finally {
      tests.end();
    }
  });
});
