import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { NEEDS_RUNTIMES, RUNTIMES, TYPESCRIPTS } from './testing/runtimes.ts';
import { snippetsOf } from './testing/snippets.ts';
import { startStubService } from './testing/stub-service.ts';

// The client as a customer gets it: built, packed, installed from the tarball without a network, and used as plain
// JavaScript and from TypeScript.

const ROOT = join(import.meta.dirname, '..');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const run = promisify(execFile);
const packedSchema = z.tuple([
  z.object({
    filename: z.string(),
    size: z.int(),
    unpackedSize: z.int(),
    files: z.array(z.object({ path: z.string() })),
  }),
]);

let folder: string;
let service: Awaited<ReturnType<typeof startStubService>>;
let packed: z.infer<typeof packedSchema>[0];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rcpt-client-'));
  const source = join(folder, 'source');
  // A copy, so that the package is what a build from nothing makes.
  for (const name of ['schema/client', 'schema/words'])
    await cp(join(ROOT, name), join(source, name), { recursive: true, filter: (path) => !path.includes('/dist') });
  for (const name of ['package.json', 'tsconfig.base.json']) await cp(join(ROOT, name), join(source, name));
  await symlink(join(ROOT, 'node_modules'), join(source, 'node_modules'));
  await run(process.execPath, [TSC, '-b', 'schema/client/node', 'schema/client/form'], { cwd: source });
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: join(source, 'schema/client'),
  });
  [packed] = packedSchema.parse(JSON.parse(stdout));
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  const [install = ''] = await snippetsOf('schema/client/README.md', 'sh');
  await run('sh', ['-c', install], { cwd: folder, env: { ...process.env, npm_config_offline: 'true' } });
  await symlink(join(ROOT, 'node_modules/fake-indexeddb'), join(folder, 'node_modules/fake-indexeddb'));
  service = await startStubService();
}, 60_000);

afterAll(async () => {
  service.close();
  await rm(folder, { recursive: true, force: true });
});

const PROGRAM = `
  import { Rcpt, RcptError } from '@rcpt/client';
  import { fileJournal } from '@rcpt/client/file-journal';
  const client = new Rcpt({ apiKey: 'svc_live_x', baseURL: process.argv[2] });
  const journal = fileJournal(process.argv[3]);
  const list = Array.from({ length: 1200 }, (_, n) => ({ email: 'user' + n + '@d' + n % 9 + '.test', row: n }));
  const run = client.verifyAll(list, { journal });
  let rows = 0;
  for await (const { input, result } of run) rows += result.status === 'valid' ? input.row : 0;
  console.log(JSON.stringify({ rows, charged: run.tally.charged, asked: run.tally.requests > 0, is: new RcptError('TIMEOUT', '') instanceof Error }));
`;

describe('the package', () => {
  test('holds the code, its types and the licence, and nothing else', () => {
    const paths = packed.files.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['package.json', 'LICENSE', 'README.md', 'dist/client/index.js']));
    const others = paths.filter((path) => !/^(package\.json|LICENSE|README\.md|dist\/.*(\.js|\.d\.ts))$/.test(path));
    expect(others).toEqual([]);
    expect(packed.size).toBeLessThan(70_000);
    expect(packed.unpackedSize).toBeLessThan(220_000);
  });

  const own = { name: 'the Node of this project', command: process.execPath, args: [], needs: {} };
  for (const { name, command, args, needs } of [own, ...RUNTIMES])
    test(`runs as plain JavaScript on ${name}`, needs, async () => {
      const program = join(folder, 'program.js');
      await writeFile(program, PROGRAM);
      const all = [...args, program, service.url, join(folder, `journal of ${name}`)];
      const { stdout } = await run(command, all, { cwd: folder });
      expect(JSON.parse(stdout)).toEqual({ rows: 719_400, charged: 1_200, asked: true, is: true });
      const again = await run(command, all, { cwd: folder });
      // What it cost is told of the whole list.
      expect(JSON.parse(again.stdout)).toEqual({ rows: 719_400, charged: 1_200, asked: false, is: true });
    });

  test('does what every snippet of its manual and of the sign-up guide says', async () => {
    const manual = await snippetsOf('schema/client/README.md', 'ts');
    const guide = await snippetsOf('schema/SIGN-UP-FORM.md', 'ts');
    expect([manual.length, guide.length]).toEqual([3, 2]);
    const client = /^const client = .*$/m.exec(manual[0] ?? '')?.[0] ?? '';
    for (const snippet of [...manual, ...guide]) {
      const before = snippet.includes('new Rcpt(') ? '' : `import { Rcpt } from '@rcpt/client';\n${client}`;
      const program = `const email = 'ann@x.test', rows = [{ email }], save = async () => {};\n${before}\n${snippet}`;
      const here = program.replaceAll('https://verify.example.com', service.url).replaceAll('…', 'x');
      await writeFile(join(folder, 'snippet.js'), here);
      service.asked.length = 0;
      await run(process.execPath, ['--import', 'fake-indexeddb/auto', 'snippet.js'], { cwd: folder });
      expect(service.asked).toEqual(['ann@x.test']);
    }
  });

  test.each([
    ['a browser', ['es2022', 'dom', 'dom.iterable']],
    ['a Worker', ['es2022', 'webworker', 'webworker.iterable']],
  ])('has types that compile for %s, strictly and with its declarations checked', async (_name, lib) => {
    await writeProgram(lib);
    expect(await compile(TSC)).toMatchObject({ stdout: '' });
  });

  test('has types that compile in every TypeScript from 5.0 on', { ...NEEDS_RUNTIMES, timeout: 120_000 }, async () => {
    await writeProgram(['es2022', 'dom', 'dom.iterable']);
    for (const tsc of TYPESCRIPTS) expect([tsc, await compile(tsc)]).toMatchObject([tsc, { stdout: '' }]);
  });
});

const SOURCE = `
  import { Rcpt, RcptError, type Journal, type VerificationResult } from '@rcpt/client';
  import { checkEmail } from '@rcpt/client/form';
  import { fileJournal } from '@rcpt/client/file-journal';
  import { indexedDbJournal } from '@rcpt/client/indexed-db-journal';
  const client: Rcpt = new Rcpt({ apiKey: 'svc_live_x', baseURL: 'https://verify.example.com' });
  const results: VerificationResult[] = await client.verify(['a@x.test']);
  for await (const { input, result } of client.verifyAll([{ email: 'a@x.test', row: 1 }], { rounds: 3 }))
    console.log(input.row + result.score, results.length);
  export const journals: Journal[] = [fileJournal('list.journal'), indexedDbJournal('list')];
  export const code = (error: RcptError): 'NO_CREDITS' | null => (error.code === 'NO_CREDITS' ? 'NO_CREDITS' : null);
  export const check = checkEmail;
`;

async function writeProgram(lib: readonly string[]): Promise<void> {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    exactOptionalPropertyTypes: true,
    lib,
    types: [],
  };
  await writeFile(join(folder, 'use.ts'), SOURCE);
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }));
}

/** What a compiler says of the program. */
function compile(tsc: string): Promise<unknown> {
  return run(process.execPath, [tsc, '-p', folder]).catch((error: unknown) => error);
}
