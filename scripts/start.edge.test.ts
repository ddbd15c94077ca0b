import { spawn } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminApi } from './admin/connection/api.ts';
import { readOperatorKey } from './admin/connection/operator-key.ts';
import { runAdmin } from './admin/program.ts';
import { runNode } from './testing/run-node.ts';
import {
  isAlive,
  newStateFolder,
  type RunningService,
  startInTerminal,
  startRunningService,
} from './testing/running-service.ts';

// npm start as other programs meet it: a process, its one line of JSON, its signals and exit codes.

const started: RunningService[] = [];
async function start(state: string, args: readonly string[]): Promise<RunningService> {
  const service = await startRunningService(state, args);
  started.push(service);
  return service;
}
afterAll(() => {
  for (const service of started) service.kill('SIGKILL');
});

async function credits(service: RunningService): Promise<unknown> {
  const headers = { authorization: `Bearer ${service.ready.apiKey}` };
  const answer = await fetch(new URL('/api/v1/credits', service.ready.url), { headers });
  return answer.json();
}

async function verify(service: RunningService, address: string): Promise<number> {
  const answer = await call(service, [address]);
  await answer.arrayBuffer();
  return answer.status;
}

function call(service: RunningService, emails: readonly string[]): Promise<Response> {
  return fetch(new URL('/api/v1/verify', service.ready.url), {
    method: 'POST',
    headers: { authorization: `Bearer ${service.ready.apiKey}` },
    body: JSON.stringify({ emails }),
  });
}

/** What `admin status` says. */
async function status({ ready: { url, operatorKey } }: RunningService): Promise<string> {
  const variables = { RCPT_URL: new URL(url).origin, RCPT_OPERATOR_KEY: operatorKey };
  let said = '';
  const write = (text: string): void => void (said += text);
  await runAdmin(['status'], variables, { out: write, err: write });
  return said;
}

/** Jobs that its hosts run. */
async function jobsOf(service: RunningService): Promise<number> {
  const operator = await readOperatorKey(service.ready.operatorKey);
  const { hosts } = await adminApi({ origin: new URL(service.ready.url).origin, operator }).listHosts();
  return hosts.reduce((sum, { jobs }) => sum + (jobs ?? 0), 0);
}

/** Those of the processes that run a program. */
async function named(program: string, pids: readonly number[]): Promise<readonly number[]> {
  const found = await Promise.all(
    pids.map(async (pid) => {
      const line = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '');
      return line.split('\0')[0]?.endsWith(`/${program}`) === true ? [pid] : [];
    }),
  );
  return found.flat();
}

/** The processes that `pid` has started, and theirs. */
async function descendants(pid: number): Promise<readonly number[]> {
  const all = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry)).map(Number);
  const parents = await Promise.all(
    all.map(async (child) => {
      const text = await readFile(`/proc/${child}/stat`, 'utf8').catch(() => '');
      return [child, Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1])] as const;
    }),
  );
  const children = parents.filter(([, parent]) => parent === pid).map(([child]) => child);
  return [...children, ...(await Promise.all(children.map(descendants))).flat()];
}

async function allGone(pids: readonly number[]): Promise<boolean> {
  for (let tries = 0; tries < 150; tries += 1) {
    if (!(await Promise.all(pids.map(isAlive))).includes(true)) return true;
    await new Promise((wake) => setTimeout(wake, 20));
  }
  return false;
}

describe('the service', { timeout: 90_000 }, () => {
  test('keeps account, key and balance across restarts, and leaves no process behind when it is stopped or killed', async () => {
    const state = await newStateFolder();
    const first = await start(state, ['--hosts', '1']);
    expect(await credits(first)).toEqual({ credits: 100_000 });
    const [host] = first.ready.hosts;
    expect(host?.id).toBe('local-1');
    const processes = await descendants(first.pid);
    expect(processes).toContain(host?.pid);
    expect(await first.stop()).toBe(0);
    expect(await allGone(processes)).toBe(true);
    expect(first.out().split('\n')).toHaveLength(2);

    const second = await start(state, ['--hosts', '2']);
    expect(second.ready).toMatchObject({ accountId: first.ready.accountId, apiKey: first.ready.apiKey });
    expect(second.ready.hosts.map(({ id }) => id)).toEqual(['local-1', 'local-2']);
    expect(await credits(second)).toEqual({ credits: 100_000 });

    const left = await descendants(second.pid);
    expect(left.length).toBeGreaterThan(1);
    second.kill('SIGKILL');
    await second.ended;
    const third = await start(state, ['--hosts', '0', '--port', new URL(second.ready.url).port]);
    expect(third.ready).toMatchObject({ url: second.ready.url, apiKey: first.ready.apiKey, hosts: [] });
    expect(await allGone(left)).toBe(true);
    third.kill('SIGINT');
    expect(await third.ended).toBe(0);
  });

  test('settles open requests before it exits', async () => {
    const state = await newStateFolder();
    const noHosts = ['--hosts', '0'];
    const first = await start(state, noHosts);
    const underWay = verify(first, 'ok@deliverable.test');
    await expect.poll(() => credits(first)).toEqual({ credits: 99_999 });
    const ended = first.stop();
    expect(await underWay).toBe(500);
    expect(await ended).toBe(0);

    const second = await start(state, noHosts);
    expect(await credits(second)).toEqual({ credits: 100_000 });
    expect(await second.stop()).toBe(0);
  });

  test('restarts workerd when it dies, and returns the credits of open requests', async () => {
    const lifetime = ['--var', 'BATCH_DEADLINE_S=5', '--var', 'HOLD_GRACE_S=1'];
    const service = await start(await newStateFolder(), lifetime);
    const underWay = verify(service, 'anyone@silent.test');
    await expect.poll(() => credits(service)).toEqual({ credits: 99_999 });
    const [workerd] = await named('workerd', await descendants(service.pid));
    process.kill(workerd ?? -1, 'SIGKILL');
    await expect(underWay).rejects.toThrow();
    await expect.poll(() => verify(service, 'ok@deliverable.test').catch(String), { timeout: 10_000 }).toBe(200);
    // The batch's 5 s, its grace of 1 s, and the cron's 10 s.
    await expect.poll(() => credits(service), { timeout: 20_000, interval: 500 }).toEqual({ credits: 99_999 });
    expect(service.out().split('\n')).toHaveLength(2);
    const restarted = await named('workerd', await descendants(service.pid));
    expect(restarted).toHaveLength(1);
    service.kill('SIGKILL');
    expect(await allGone(restarted)).toBe(true);
  }, 60_000);

  test('finishes the running batch after Ctrl-C in a terminal, and exits with 0', async () => {
    const service = await startInTerminal(await newStateFolder(), ['--hosts', '1'], 'npm');
    started.push(service);
    // It takes the 5 s in which a name server may answer.
    const underWay = verify(service, 'anyone@dns-silent.test');
    await expect.poll(() => jobsOf(service)).toBe(1);
    service.ctrlC();
    expect(await underWay).toBe(200);
    expect(await service.ended).toBe(0);
    expect(service.err()).not.toContain('workerd exited');
  });

  test('names a host that dies, and the command that restarts it', async () => {
    const service = await start(await newStateFolder(), ['--hosts', '1']);
    const [host] = service.ready.hosts;
    process.kill(host?.pid ?? -1, 'SIGKILL');
    await expect.poll(() => service.err()).toContain(`Host local-1 (process ${host?.pid}) exited on SIGKILL`);
    const [, command] = /To restart it:\n {2}(.*)\n/.exec(service.err()) ?? [];
    const health = new URL('/health', service.ready.url);
    await expect.poll(async () => (await fetch(health)).status).toBe(503);
    const shell = spawn('sh', ['-c', command ?? 'exit 1'], { detached: true, stdio: 'ignore' });
    await expect.poll(async () => (await fetch(health)).status).toBe(200);
    process.kill(-(shell.pid ?? 0), 'SIGTERM');
    expect(await service.stop()).toBe(0);
  });
});

describe('a service that runs', { timeout: 60_000 }, () => {
  let state: string;
  let service: RunningService;
  beforeAll(async () => {
    state = await newStateFolder();
    const vars = ['--var', 'KEY_PREFIX=acme_live_', '--var', 'RATE_LIMIT=700'];
    service = await start(state, ['--hosts', '1', ...vars]);
  }, 60_000);

  test('keeps its secrets from other users', async () => {
    const files = ['operator.json', 'secrets.json', 'demo.json', 'hosts/local-1.json'];
    const modes = await Promise.all(files.map(async (file) => (await stat(join(state, file))).mode & 0o777));
    expect(modes).toEqual([0o600, 0o600, 0o600, 0o600]);
    expect(service.ready.operatorKey).toBe(join(state, 'operator.json'));
  });

  test('holds its state folder and its port: a second service says in one line what to do', async () => {
    const { port } = new URL(service.ready.url);
    const [sameState, samePort] = await Promise.all([
      runNode('scripts/start.ts', ['--port', '0', '--state', state]),
      runNode('scripts/start.ts', ['--port', port, '--state', await newStateFolder()]),
    ]);
    expect(sameState).toMatchObject({ code: 1, out: '' });
    expect(sameState.err).toMatch(
      new RegExp(
        `^The state folder ${state} is in use by another run, process ${service.pid} on [^\\n]+--state[^\\n]+\\n$`,
      ),
    );
    expect(samePort).toMatchObject({ code: 1, out: '' });
    expect(samePort.err).toBe(
      `Port ${port} is in use: stop the program that uses it, or choose another with --port.\n`,
    );
  });

  test('writes one line of the log for a call, counts it for the operator, and says no address', async () => {
    const answer = await call(service, ['ok@deliverable.test', 'nobody@deliverable.test', 'x@nxdomain.test']);
    expect(answer.status).toBe(200);
    const id = answer.headers.get('rcpt-request-id') ?? '';
    const lines = (): readonly string[] => service.err().split('\n');
    const line = (): string => lines().find((one) => one.includes('"batch"') && one.includes(id)) ?? '';
    await expect.poll(line).not.toBe('');
    expect(JSON.parse(line())).toMatchObject({ event: 'batch', requestId: id, hosts: 'local-1', jobs: 1 });
    await expect.poll(() => status(service)).toMatch(/^last hour +1 +3 +0\.0 %/m);
    expect(line() + (await status(service))).not.toMatch(/@|deliverable\.test|nxdomain\.test/);
  });
});

describe('bad options are refused in one line', { timeout: 60_000 }, () => {
  test.each([
    [['--hosts', 'many'], /--hosts/],
    [['--unknown'], /--unknown/],
    [['--var', 'NO_SUCH=1'], /NO_SUCH/],
    [['--var', 'MAX_ADDRESSES=501'], /MAX_ADDRESSES/],
    [['--stub', 'test=127.0.0.1'], /test is given twice.*--no-sandbox/],
  ])('%j', async (args, words) => {
    const { code, out, err } = await runNode('scripts/start.ts', [...args, '--state', await newStateFolder()]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(words);
    expect(err).toMatch(/^[^\n]+\n$/);
  });

  test('a secret that locks its own operator out', async () => {
    const args = ['--port', '0', '--hosts', '0', '--no-sandbox', '--var', 'OPERATOR_KEYS={}'];
    const { code, err } = await runNode('scripts/start.ts', [...args, '--state', await newStateFolder()]);
    expect(code).toBe(1);
    expect(err).toMatch(/^The service refused its own operator: The token is not signed [^\n]+--var\?$/m);
    expect(err).not.toMatch(/^ +at /m);
  });
});
