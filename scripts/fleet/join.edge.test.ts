import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { enrolmentSchema } from '../../schema/enrolment.ts';
import { publicHalf } from '../../schema/jwk.ts';
import { runNode } from '../testing/run-node.ts';
import { newStateFolder, type RunningService, startRunningService } from '../testing/running-service.ts';

// How a machine becomes a host: the operator's command, the machine's command, and its first minute.

let service: RunningService;
let origin: string;
let folder: string;
const children: ChildProcess[] = [];
beforeAll(async () => {
  service = await startRunningService(await newStateFolder(), ['--hosts', '0']);
  origin = new URL(service.ready.url).origin;
  folder = await mkdtemp(join(tmpdir(), 'rcpt-join-'));
}, 60_000);
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

const admin = (...args: readonly string[]) =>
  runNode('scripts/admin.ts', ['--url', origin, '--operator-key', service.ready.operatorKey, ...args]);
const prober = (...args: readonly string[]) => runNode('prober/main.ts', args);
async function invite(host: string): Promise<string> {
  const { out } = await admin('host', 'invite', host, '--json');
  return z.object({ invitation: z.string() }).parse(JSON.parse(out)).invitation;
}

describe('joining', { timeout: 60_000 }, () => {
  test('takes the command that `host invite` prints, and the host is ready in a few seconds', async () => {
    const { code, out } = await admin('host', 'invite', 'fra-1');
    expect(code).toBe(0);
    const [, url = '', token = ''] = /^ {2}rcpt-prober join (\S+) (\S+)$/m.exec(out) ?? [];
    const file = join(folder, 'fra-1.json');
    const joined = await prober('join', url, token, '--out', file);
    expect(joined).toEqual({
      code: 0,
      err: '',
      out: `This machine is host fra-1 of ${origin}. Its enrolment is ${file}; keep no copy of it.\n`,
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const { privateKey } = enrolmentSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    expect(service.err()).toContain('"event":"host_enrolled","host":"fra-1"');
    expect(service.err()).not.toContain(publicHalf(privateKey).x);

    const env = { ...process.env, ENROLMENT: file, SANDBOX: '1' };
    children.push(spawn(process.execPath, ['prober/main.ts'], { env, stdio: 'ignore' }));
    const health = async (): Promise<unknown> => (await fetch(`${origin}/health`)).json();
    await expect.poll(health, { timeout: 15_000 }).toMatchObject({ ready: 1 });
    const list = (await admin('host', 'list')).out;
    expect(list).toMatch(/^fra-1 +active +yes \(1\) +yes/m);
    expect(list).toMatch(/^ {2}\d+\.\d+\.\d+ +active +for \d+ s/m);

    const again = await prober('join', url, token, '--out', join(folder, 'thief.json'));
    expect(again).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/was used by another machine.*remove fra-1/),
    });
    await expect(stat(join(folder, 'thief.json.joining'))).rejects.toThrow('ENOENT');
  });

  test.each<[string, readonly string[], number, RegExp]>([
    ['half a token', ['https://x.example', 'rcpt-join-abc'], 1, /copy it whole/],
    ['no token', ['https://x.example'], 2, /usage: join URL INVITATION/],
    [
      'a path',
      ['https://x.example/join', `rcpt-join-${'a'.repeat(43)}`],
      1,
      /URL must have only a scheme, a host and a port/,
    ],
    ['plain http', ['http://x.example', `rcpt-join-${'a'.repeat(43)}`], 1, /URL must be https/],
    [
      'a port without edge',
      ['http://127.0.0.1:1', `rcpt-join-${'a'.repeat(43)}`],
      1,
      /No response from .*check the URL and the network/,
    ],
    ['an unknown option', ['https://x.example', 'x', '--force'], 2, /Unknown option '--force'/],
  ])('with %s says in one line what to do', async (_name, args, code, words) => {
    const ended = await prober('join', ...args, '--out', join(folder, 'none.json'));
    expect(ended).toMatchObject({ code, out: '', err: expect.stringMatching(words) });
    expect(ended.err.trim().split('\n')).toHaveLength(1);
    await rm(join(folder, 'none.json.joining'), { force: true });
  });

  test('is over for a host that was removed: the edge and `host list` say why, and the host what to do', async () => {
    const file = join(folder, 'fra-5.json');
    await prober('join', origin, await invite('fra-5'), '--out', file);
    await admin('host', 'remove', 'fra-5');
    let err = '';
    const env = { ...process.env, ENROLMENT: file, SANDBOX: '1' };
    const child = spawn(process.execPath, ['prober/main.ts'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    children.push(child);
    child.stderr.on('data', (data) => (err += String(data)));
    await expect.poll(() => err, { timeout: 15_000 }).toContain('"event":"link_refused"');
    expect(err).toMatch(/"status":401,"aheadS":-?\d.*`admin host list` says why/);
    expect(service.err()).toMatch(/"level":"warn","event":"host_refused","host":"fra-5","why":"it was removed"/);
    const list = async (): Promise<string> => (await admin('host', 'list', '--all')).out;
    await expect.poll(list, { timeout: 5_000 }).toMatch(/^fra-5 +removed +no .*\d+ s ago: it was removed$/m);
    expect((await admin('host', 'list')).out).not.toContain('fra-5');
  });

  test('begins anew for a host that was removed, with --replace: it is connected again under a key of its own', async () => {
    const file = join(folder, 'fra-6.json');
    await prober('join', origin, await invite('fra-6'), '--out', file);
    const before = enrolmentSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    await admin('host', 'remove', 'fra-6');
    const lost = await invite('fra-6');
    const { out } = await admin('host', 'invite', 'fra-6', '--again', '--json');
    const { invitation } = z.object({ invitation: z.string() }).parse(JSON.parse(out));
    expect(await prober('join', origin, lost, '--out', file, '--replace')).toMatchObject({
      code: 1,
      err: expect.stringContaining('no such invitation'),
    });
    expect(await prober('join', origin, invitation, '--out', file, '--replace')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/This machine is host fra-6.*\nStart it with: rcpt-roll /),
    });
    const after = enrolmentSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    expect(after.privateKey).not.toEqual(before.privateKey);
    const env = { ...process.env, ENROLMENT: file, SANDBOX: '1' };
    children.push(spawn(process.execPath, ['prober/main.ts'], { env, stdio: 'ignore' }));
    await expect
      .poll(async () => (await admin('host', 'list')).out, { timeout: 15_000 })
      .toMatch(/^fra-6 +active +yes \(1\)/m);
  });

  test('touches no enrolment that is there', async () => {
    const file = join(folder, 'mine.json');
    await writeFile(file, 'mine');
    const ended = await prober('join', origin, await invite('fra-2'), '--out', file);
    expect(ended).toMatchObject({ code: 1, err: expect.stringMatching(/already exists: add --replace/) });
    expect(await readFile(file, 'utf8')).toBe('mine');
  });

  test('whose answer was lost goes through by the same command again, as the same host', async () => {
    const [token, file] = [await invite('fra-3'), join(folder, 'fra-3.json')];
    expect(await prober('join', origin, token, '--out', file)).toMatchObject({ code: 0 });
    const { privateKey } = enrolmentSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    // As it is if the edge has enrolled the key and its answer never came.
    await rm(file);
    await writeFile(`${file}.joining`, JSON.stringify(privateKey), { mode: 0o600 });
    expect(await prober('join', origin, token, '--out', file)).toMatchObject({ code: 0 });
    expect(enrolmentSchema.parse(JSON.parse(await readFile(file, 'utf8')))).toMatchObject({
      host: 'fra-3',
      privateKey,
    });
  });
});
