import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { snippetsOf } from '../testing/snippets.ts';
import { startStubService } from '../testing/stub-service.ts';
import { installCommand, type Packed } from './testing/installed.ts';

// The command as a customer gets it: built, packed, and installed from the tarball without a network and without this
// repository.

const HERE = import.meta.dirname;
const run = promisify(execFile);
/** The project's Node before the machine's, which may be older, and nothing else of this repository. */
const PATH = [dirname(process.execPath), ...(process.env['PATH'] ?? '').split(':')]
  .filter((path, at) => at === 0 || !path.includes('node_modules'))
  .join(':');

let folder: string;
let service: Awaited<ReturnType<typeof startStubService>>;
let packed: Packed;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rcpt-package-'));
  packed = await installCommand(folder);
  service = await startStubService();
  env = { PATH, XDG_CONFIG_HOME: folder, RCPT_URL: service.url, RCPT_API_KEY: 'svc_live_test' };
}, 60_000);

afterAll(async () => {
  service.close();
  await rm(folder, { recursive: true, force: true });
});

const rcpt = (...args: readonly string[]) =>
  run(join(folder, 'customer/node_modules/.bin/rcpt'), args, { cwd: join(folder, 'customer'), env });
const read = (name: string): Promise<string> => readFile(join(folder, 'customer', name), 'utf8');

describe('the package', { timeout: 30_000 }, () => {
  test('is the command, its manual and the licences of all that is in it', async () => {
    expect(packed.files.map(({ path }) => path).toSorted()).toEqual([
      'LICENSE',
      'README.md',
      'dist/THIRD-PARTY-LICENSES.txt',
      'dist/command.js',
      'dist/rcpt.js',
      'package.json',
    ]);
    expect(packed.size).toBeLessThan(360_000);
    const licences = await read('node_modules/@rcpt/command/dist/THIRD-PARTY-LICENSES.txt');
    for (const name of ['@modelcontextprotocol/sdk', '@zip.js/zip.js', 'commander', 'papaparse', 'zod'])
      expect(licences).toContain(`${name}\n\n`);
  });

  test('prints its help', async () => {
    const { version } = z
      .object({ version: z.string() })
      .parse(JSON.parse(await readFile(join(HERE, 'package.json'), 'utf8')));
    expect((await rcpt('--version')).stdout).toBe(`${version}\n`);
    expect((await rcpt('verify', '--help')).stdout).toMatch(/--resume[^]*Exit codes:/);
  });

  test('does what the first lines of its manual say, from the installation on', async () => {
    const [manual = ''] = await snippetsOf('scripts/rcpt/README.md', 'sh');
    const typed = manual
      .replace('https://verify.example.com', service.url)
      .replace(/^rcpt login .*$/m, (line) => `printf svc_live_typed | ${line}`)
      .replace('-o verified.csv', '-o verified.csv --yes');
    await writeFile(join(folder, 'customer/customers.csv'), 'id,email\n1,a@x.test\n');
    const prefix = join(folder, 'global');
    const { RCPT_URL: _url, RCPT_API_KEY: _key, ...bare } = env;
    const npm = { npm_config_prefix: prefix, npm_config_offline: 'true', npm_config_audit: 'false' };
    const { stdout } = await run('sh', ['-euc', typed], {
      cwd: join(folder, 'customer'),
      env: { ...bare, ...npm, HOME: folder, PATH: `${prefix}/bin:${PATH}` },
    });
    expect(stdout).toContain('ann@example.com,valid,95,,The mailbox exists\nbob@example.com,valid,');
    expect(await read('verified.csv')).toMatch(/\n1,a@x\.test,valid,/);
  });

  test('ends with 7 where a full disk cuts rows off that go to a file through standard output', async () => {
    await writeFile(join(folder, 'customer/full.txt'), Array.from({ length: 90 }, (_, n) => `a${n}@x.test\n`).join(''));
    const command = 'ulimit -f 4; exec node_modules/.bin/rcpt verify full.txt --yes > full.csv';
    await expect(run('bash', ['-c', command], { cwd: join(folder, 'customer'), env })).rejects.toMatchObject({
      code: 7,
      stderr: expect.stringContaining('Standard output cannot be written (EFBIG)'),
    });
  });
});
