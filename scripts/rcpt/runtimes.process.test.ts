import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { xlsxOf } from '../../schema/lists/testing/xlsx.ts';
import { NEEDS_RUNTIMES, NODE_20, RUNTIMES } from '../testing/runtimes.ts';
import { startStubService } from '../testing/stub-service.ts';
import { installCommand, scriptOf } from './testing/installed.ts';

const run = promisify(execFile);
let folder: string;
let service: Awaited<ReturnType<typeof startStubService>>;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rcpt-runtimes-'));
  await installCommand(folder);
  service = await startStubService();
  env = { XDG_CONFIG_HOME: folder, RCPT_URL: service.url, RCPT_API_KEY: 'svc_live_test' };
}, 60_000);
afterAll(async () => {
  service.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the installed command', { timeout: 60_000 }, () => {
  const own = { name: 'the Node of this project', command: process.execPath, args: [], needs: {} };
  for (const { name, command, args, needs } of [own, ...RUNTIMES])
    test(`verifies CSV, JSONL and a workbook, and continues after Ctrl-C, on ${name}`, needs, async () => {
      const cwd = await mkdtemp(join(folder, 'customer/lists-'));
      const all = [...args, scriptOf(folder), 'verify'];
      const verify = (...more: readonly string[]) => run(command, [...all, ...more, '--yes'], { cwd, env });
      const rows = async (file: string): Promise<string> => readFile(join(cwd, file), 'utf8');
      await writeFile(join(cwd, 'list.csv'), 'id,email\r\n1,a@x.test\r\n');
      expect((await verify('list.csv', '-o', 'out.csv')).stderr).toContain('1 credit charged');
      expect(await rows('out.csv')).toMatch(/^id,email,rcpt_status,.*\r\n1,a@x\.test,valid,/);
      await writeFile(join(cwd, 'list.jsonl'), '{"id":12345678901234567890,"email":"a@x.test"}\n');
      await verify('list.jsonl', '-o', 'out.jsonl');
      expect(await rows('out.jsonl')).toMatch(/^\{"id":12345678901234567890,"email":"a@x\.test","rcpt_status":"valid"/);
      const people = [
        ['Name', 'E-Mail'],
        ['Ann', 'b@x.test'],
      ];
      await writeFile(join(cwd, 'list.xlsx'), await xlsxOf({ People: people }));
      await verify('list.xlsx', '-o', 'out.xlsx');
      await verify('out.xlsx', '--only', 'valid', '-o', 'sheet.csv');
      expect(await rows('sheet.csv')).toMatch(/^\ufeffName,E-Mail,rcpt_status,.*\nAnn,b@x\.test,valid,/);
      const held = service.hold();
      const stopped = spawn(command, [...all, 'list.csv', '-o', 'late.csv', '--yes'], { cwd, env });
      let said = '';
      stopped.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
      const drop = await held;
      stopped.kill('SIGINT');
      await expect.poll(() => said).toContain('Stopping');
      const goOn = drop();
      expect(await once(stopped, 'close')).toEqual([130, null]);
      goOn();
      const { stderr } = await verify('list.csv', '-o', 'late.csv', '--resume');
      expect(stderr).toContain('1 credit charged');
      expect(await rows('late.csv')).toMatch(/\n1,a@x\.test,valid,/);
    });

  test('tells an older Node in one sentence what it needs', NEEDS_RUNTIMES, async () => {
    const words = 'rcpt: needs Node 22.18 or later; this is 20.20.2.\n';
    await expect(run(NODE_20, [scriptOf(folder), 'verify', 'list.csv'])).rejects.toMatchObject({
      code: 1,
      stderr: words,
    });
  });
});
