import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { WORLD } from '../sandbox/world.ts';
import { NEEDS_RUNTIMES, NODE_20, RUNTIMES } from '../testing/runtimes.ts';
import { findCommand } from '../testing/find-command.ts';
import { ownNetwork } from '../testing/own-network.ts';
import { isAlive, startRunningService } from '../testing/running-service.ts';
import { type InTerminal, typeInTerminal } from '../testing/terminal.ts';

// `npm start` as on a Mac, imitated: a network whose loopback is 127.0.0.1 and ::1 alone, Node without /proc and abstract sockets
// (testing/mac.ts), neither `setsid` nor `script` on PATH, 256 descriptors.

const ROOT = join(import.meta.dirname, '../..');
const PRELOAD = join(import.meta.dirname, 'testing/mac.ts');
const LOOPBACK = 'ip addr del 127.0.0.1/8 dev lo && ip addr add 127.0.0.1/32 dev lo';
const PROGRAM = join(ROOT, 'scripts/with-node.mjs');
const PROGRAMS = ['sh', 'env', 'npm'];
const START = 'ulimit -n 256 && exec npm start --silent -- --port 0 --json --state';
/** Those that are answered at once. */
const ADDRESSES = WORLD.filter(({ takesS }) => takesS === 0);
const CALL = `
  const answer = await fetch(process.argv[1] + '/api/v1/verify', {
    method: 'POST', headers: { authorization: 'Bearer ' + process.argv[2] }, body: process.argv[3],
  });
  process.stdout.write(await answer.text());`;

const run = promisify(execFile);
const network = await ownNetwork();
const isAlone =
  network.words.length > 0 &&
  spawnSync(network.words[0] ?? '', [...network.words.slice(1), 'sh', '-c', LOOPBACK]).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'rcpt-mac-'));
const state = join(folder, 'state');
for (const program of PROGRAMS) symlinkSync(findCommand(program) ?? program, join(folder, program));
symlinkSync(process.execPath, join(folder, 'node'));
const env = { HOME: folder, PATH: folder, NODE_OPTIONS: `--import=${PRELOAD}` };

let service: InTerminal | undefined;
afterEach(() => service?.kill());
afterAll(async () => {
  network.close();
  await rm(folder, { recursive: true, force: true });
});

type Started = InTerminal & { readonly url: string; readonly apiKey: string; readonly pids: readonly number[] };

async function start(): Promise<Started> {
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const line = `${[findCommand('env'), '-i', ...settings].join(' ')} sh -c '${START} ${state}'`;
  const typed = typeInTerminal(line, { cwd: ROOT, env: process.env, words: network.words });
  service = typed;
  await expect.poll(typed.shown, { timeout: 60_000 }).toContain('"operatorKey"');
  const [, json = '{}'] = /^(\{"url".*\})$/m.exec(typed.shown()) ?? [];
  const { url, apiKey, hosts } = JSON.parse(json);
  const workerd = Number(readFileSync(join(state, 'workerd.pid'), 'utf8'));
  return { ...typed, url, apiKey, pids: [workerd, ...hosts.map(({ pid }: { readonly pid: number }) => pid)] };
}

async function within(...command: readonly string[]): Promise<string> {
  const [first = '', ...rest] = [...network.words, ...command];
  return (await run(first, rest, { maxBuffer: 2 ** 24 })).stdout;
}

describe.skipIf(!isAlone)('on a Mac', { timeout: 180_000, meta: { needs: 'root, for a network of their own' } }, () => {
  test('npm start answers for all addresses of the sandbox, and ends with Ctrl-C', async () => {
    await expect(within('ip', 'route', 'get', '127.53.1.1')).rejects.toThrow('unreachable');
    const { url, apiKey, pids, ctrlC, ended } = await start();
    const body = JSON.stringify({ emails: ADDRESSES.map(({ address }) => address) });
    const results: unknown = JSON.parse(
      await within(process.execPath, '--input-type=module', '-e', CALL, url, apiKey, body),
    );
    expect(results).toEqual(ADDRESSES.map(({ expected }) => expected));
    ctrlC();
    expect(await ended).toBe(0);
    await expect.poll(() => Promise.all(pids.map(isAlive))).not.toContain(true);
  });

  test('a service that is killed leaves no process, and its state folder is free at once', async () => {
    const first = await start();
    const holder = /^\S+ (\d+) /.exec(readFileSync(join(state, 'lock'), 'utf8'))?.[1];
    process.kill(Number(holder), 'SIGKILL');
    await expect.poll(() => Promise.all(first.pids.map(isAlive))).not.toContain(true);
    const second = await start();
    expect(second.apiKey).toBe(first.apiKey);
    second.ctrlC();
    expect(await second.ended).toBe(0);
  });
});

test(
  'an own Node of 22.18 runs the service, where the `node` dependency is not to be had',
  { ...NEEDS_RUNTIMES, timeout: 120_000 },
  async () => {
    const own = await startRunningService(join(folder, 'own'), [], [RUNTIMES[0].command, PROGRAM, 'scripts/start.ts']);
    const { url, apiKey } = own.ready;
    const headers = { authorization: `Bearer ${apiKey}` };
    const body = JSON.stringify({ emails: ['ok@deliverable.test'] });
    const answer = await fetch(new URL('/api/v1/verify', url), { method: 'POST', headers, body });
    expect(await answer.json()).toMatchObject([{ status: 'valid' }]);
    expect(await own.stop()).toBe(0);
  },
);

test('an older Node says in one sentence what it takes', NEEDS_RUNTIMES, async () => {
  await expect(run(NODE_20, [PROGRAM, 'scripts/start.ts'])).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^rcpt needs Node 22\.18 or later; this is 20\.[\d.]+\n$/),
  });
});
