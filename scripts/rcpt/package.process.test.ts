import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { xlsxOf } from '../../schema/lists/testing/xlsx.ts';
import { snippetsOf } from '../testing/snippets.ts';
import { startStubService } from '../testing/stub-service.ts';

// The command as a customer gets it: built, packed, installed from the tarball without a network and without this
// repository, and run on the machine's own Node.

const HERE = import.meta.dirname;
const run = promisify(execFile);
const packedSchema = z.tuple([
  z.object({ filename: z.string(), size: z.int(), files: z.array(z.object({ path: z.string() })) }),
]);
/** Without the folders that npm puts in front, so that `node` is the machine's. */
const PATH = (process.env['PATH'] ?? '')
  .split(':')
  .filter((path) => !path.includes('node_modules'))
  .join(':');

let folder: string;
let service: Awaited<ReturnType<typeof startStubService>>;
let packed: z.infer<typeof packedSchema>[0];
let env: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rcpt-package-'));
  const source = join(folder, 'source');
  const customer = join(folder, 'customer');
  await mkdir(source);
  await mkdir(customer);
  await run(process.execPath, [join(HERE, 'build.ts'), join(source, 'dist')]);
  for (const file of ['package.json', 'README.md', 'LICENSE']) await cp(join(HERE, file), join(source, file));
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', customer], { cwd: source });
  [packed] = packedSchema.parse(JSON.parse(stdout));
  await rm(source, { recursive: true });
  await writeFile(join(customer, 'package.json'), '{"private":true}');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', packed.filename], { cwd: customer });
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
  test('is one file, its manual and the licences of all that is in it', async () => {
    expect(packed.files.map(({ path }) => path).toSorted()).toEqual([
      'LICENSE',
      'README.md',
      'dist/THIRD-PARTY-LICENSES.txt',
      'dist/rcpt.js',
      'package.json',
    ]);
    expect(packed.size).toBeLessThan(350_000);
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

  test('verifies CSV and a spreadsheet', async () => {
    await writeFile(join(folder, 'customer/list.csv'), 'id,email\n1,a@x.test\n');
    expect((await rcpt('verify', 'list.csv', '-o', 'out.csv', '--yes')).stderr).toContain('1 credit charged');
    expect(await read('out.csv')).toMatch(/^id,email,rcpt_status,.*\n1,a@x\.test,valid,/);
    await writeFile(
      join(folder, 'customer/list.xlsx'),
      await xlsxOf({
        People: [
          ['Name', 'E-Mail'],
          ['Ann', 'b@x.test'],
        ],
      }),
    );
    await rcpt('verify', 'list.xlsx', '-o', 'sheet.csv', '--yes');
    expect(await read('sheet.csv')).toMatch(/^\ufeffName,E-Mail,rcpt_status,.*\nAnn,b@x\.test,valid,/);
  });
});
