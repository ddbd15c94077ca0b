import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { JEST, NEEDS_RUNTIMES } from '../testing/runtimes.ts';
import { snippetsOf } from '../testing/snippets.ts';

// The package as a stranger has it: built, packed, and in an empty project beside Miniflare and Vitest.

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);
let project: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'rcpt-testing-'));
  const source = join(project, 'source');
  await mkdir(source);
  await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-b', 'scripts'], { cwd: ROOT });
  await run(process.execPath, [join(import.meta.dirname, 'build.ts'), join(source, 'dist')]);
  for (const file of ['package.json', 'README.md', 'LICENSE'])
    await cp(join(import.meta.dirname, file), join(source, file));
  await run('npm', ['pack', '--pack-destination', project], { cwd: source });
  await rm(source, { recursive: true });
  await mkdir(join(project, 'node_modules/@rcpt/testing'), { recursive: true });
  const unpack = ['-xzf', 'rcpt-testing-0.1.0.tgz', '--strip-components=1', '-C', 'node_modules/@rcpt/testing'];
  await run('tar', unpack, { cwd: project });
  for (const name of ['miniflare', 'vitest', '@types'])
    await symlink(join(ROOT, 'node_modules', name), join(project, 'node_modules', name));
  await writeFile(join(project, 'package.json'), '{"private":true,"type":"module"}');
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
  const [, lines = ''] = /\n((?: {4}import .+\n)(?: {4}.+\n)+)/.exec(readme) ?? [];
  await writeFile(join(project, 'sign-up.test.ts'), lines.replaceAll(/^ {4}/gm, ''));
}, 120_000);

afterAll(() => rm(project, { recursive: true, force: true }));

test('the lines of README run in an empty project', async () => {
  const vitest = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--reporter=verbose'];
  const { stdout } = await run(process.execPath, vitest, {
    cwd: project,
    env: { PATH: process.env['PATH'], NO_COLOR: '1' },
  });
  expect(stdout).toMatch(/sign-up\.test\.ts > a mailbox that does not exist is refused.*\n[^]*1 passed/);
}, 60_000);

test('runs in Jest by the flag of its manual', { ...NEEDS_RUNTIMES, timeout: 60_000 }, async () => {
  const [command = ''] = await snippetsOf('scripts/testing-package/README.md', 'sh');
  const program = await readFile(join(project, 'sign-up.test.ts'), 'utf8');
  // Its functions are global there.
  await writeFile(join(project, 'sign-up.test.js'), program.replace(/^import .* from 'vitest';\n/m, ''));
  await mkdir(join(project, 'node_modules/.bin'), { recursive: true });
  await symlink(JEST, join(project, 'node_modules/.bin/jest'));
  const jest = `${command.trim()} --testMatch '**/*.test.js'`;
  const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`;
  const { stderr } = await run('sh', ['-c', jest], { cwd: project, env: { PATH, HOME: project, NO_COLOR: '1' } });
  expect(stderr).toMatch(/Tests: +1 passed/);
});

test('its types compile, strictly and with its declarations checked, without those of Miniflare', async () => {
  const compilerOptions = { strict: true, noEmit: true, target: 'es2024', module: 'nodenext', types: [] };
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }));
  await writeFile(
    join(project, 'use.ts'),
    `import { startRcpt, type Rcpt } from '@rcpt/testing';
     const rcpt: Rcpt = await startRcpt({ RATE_LIMIT: '60' });
     export const all: readonly [string, string, () => Promise<void>] = [rcpt.url, rcpt.testKey, rcpt.stop];`,
  );
  const types = await readFile(join(project, 'node_modules/@rcpt/testing/dist/start-rcpt.d.ts'), 'utf8');
  expect(types).not.toContain('import');
  const tsc = run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', project]);
  expect(await tsc.catch((error: unknown) => error)).toMatchObject({ stdout: '' });
});

test('a name that is no variable is refused, with those that are', async () => {
  const program = `import { startRcpt } from '@rcpt/testing'; await startRcpt({ RATE_LIMITS: '60' });`;
  await writeFile(join(project, 'typo.js'), program);
  await expect(run(process.execPath, ['typo.js'], { cwd: project })).rejects.toMatchObject({
    stderr: expect.stringMatching(/TypeError: startRcpt knows no variable RATE_LIMITS\. It takes .*, RATE_LIMIT, /),
  });
});
