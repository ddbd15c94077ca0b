import { execFile } from 'node:child_process';
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startStubService } from '../testing/stub-service.ts';

// The command on a file system that refuses what Windows refuses: imitated, see testing/windows.ts.

const HERE = import.meta.dirname;
const run = promisify(execFile);
let folder: string;
let service: Awaited<ReturnType<typeof startStubService>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rcpt-windows-'));
  service = await startStubService();
  const rows = Array.from({ length: 90 }, (_, n) => `${n},user${n}@d${n % 3}.test\r\n`);
  await writeFile(join(folder, 'Kunden Übersicht.csv'), `id,email\r\n${rows.join('')}`);
});
afterAll(async () => {
  service.close();
  await rm(folder, { recursive: true, force: true });
});

function rcpt(refusals: number, ...args: readonly string[]) {
  const env = { ...process.env, RCPT_URL: service.url, RCPT_API_KEY: 'svc_live_test', XDG_CONFIG_HOME: folder };
  const windows = join(HERE, 'testing/windows.ts');
  const list = ['verify', 'Kunden Übersicht.csv', '--yes', ...args];
  return run(process.execPath, ['--import', windows, join(HERE, 'main.ts'), ...list], {
    cwd: folder,
    env: { ...env, RENAMES_REFUSED: String(refusals) },
  });
}

test('writes a list, continues one that was cut off, and pays for nothing twice', async () => {
  await expect(rcpt(0, '-o', 'out.csv', '--max-credits', '50')).rejects.toMatchObject({
    stderr: expect.stringContaining('out.csv, which is incomplete'),
  });
  await appendFile(join(folder, 'out.csv.rcpt-journal'), '{"index":1');
  const { stderr } = await rcpt(0, '-o', 'out.csv', '--resume');
  expect(stderr).toContain('90 credits charged');
  expect(service.asked).toHaveLength(90);
  expect((await readFile(join(folder, 'out.csv'), 'utf8')).match(/,valid,/g)).toHaveLength(90);
});

test('waits for a program that has the output open for a moment, and else says what to do and keeps what was paid for', async () => {
  service.asked.length = 0;
  expect((await rcpt(3, '-o', 'list.csv')).stderr).toContain('Wrote list.csv.');
  const refused = rcpt(99, '-o', 'list.csv', '--force');
  await expect(refused).rejects.toMatchObject({
    code: 7,
    stderr: expect.stringContaining(
      'list.csv cannot be replaced (EBUSY): close it in other programs, check its permissions, and run the same command with --resume.',
    ),
  });
  expect((await rcpt(0, '-o', 'list.csv', '--resume')).stderr).toContain('Wrote list.csv.');
  expect(service.asked).toHaveLength(180);
  expect((await readdir(folder)).filter((name) => name.startsWith('list.csv'))).toEqual(['list.csv']);
});
