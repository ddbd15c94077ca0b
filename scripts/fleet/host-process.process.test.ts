import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type NameServer, startNameServer } from '../../prober/testing/name-server.ts';
import { freePort } from '../local/port.ts';
import { NODE_ALONE } from '../testing/run-node.ts';
import { ScriptedEdge } from './testing/scripted-edge.ts';

const MAIN = fileURLToPath(new URL('../../prober/main.ts', import.meta.url));

let edge: ScriptedEdge;
let folder: string;
let child: ChildProcess | null = null;
const children: ChildProcess[] = [];
beforeEach(async () => {
  edge = await ScriptedEdge.start();
  folder = mkdtempSync(join(tmpdir(), 'rcpt-main-'));
});
afterEach(async () => {
  for (const run of children.splice(0)) run.kill('SIGKILL');
  child = null;
  await edge.stop();
  rmSync(folder, { recursive: true });
});

type Ended = { readonly code: number | null; readonly out: string; readonly err: string };

/** Starts a host as a process; what it says is complete when it has ended. */
function start(env: Readonly<Record<string, string>>, args: readonly string[] = []): Promise<Ended> {
  const run = spawn(process.execPath, [MAIN, ...args], {
    env: { ...NODE_ALONE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child = run;
  children.push(run);
  let out = '';
  let err = '';
  run.stdout.on('data', (data) => (out += String(data)));
  run.stderr.on('data', (data) => (err += String(data)));
  return once(run, 'close').then(([code]) => ({ code: typeof code === 'number' ? code : null, out, err }));
}
function enrolled(): Readonly<Record<string, string>> {
  const path = join(folder, 'enrolment.json');
  writeFileSync(path, JSON.stringify(edge.enrolment));
  chmodSync(path, 0o600);
  return { ENROLMENT: path };
}

describe('npm run -s prober', { timeout: 30_000 }, () => {
  it('explains itself', async () => {
    const { code, out } = await start({}, ['--help']);
    expect(code).toBe(0);
    expect(out).toContain('ENROLMENT');
  });

  it.each([
    ['no enrolment', {}, [], 'ENROLMENT: is missing'],
    ['an enrolment that is not there', { ENROLMENT: '/nowhere' }, [], 'ENROLMENT: cannot read /nowhere'],
    ['an argument', {}, ['--verbose'], "Unknown option '--verbose'"],
  ])('says in one line what is wrong with %s, and ends with 2', async (_name, env, args, words) => {
    const { code, out, err } = await start(env, args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(words);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  it('ends with 2 if the edge takes no private routes', async () => {
    const ended = start({ ...enrolled(), SANDBOX: '1', ROUTE: '127.0.0.0/8=2525' });
    const link = await edge.link();
    expect(await link.frame('hello')).toMatchObject({ routes: true });
    link.socket.close(4003);
    expect(await ended).toMatchObject({ code: 2, err: expect.stringContaining('unset ROUTE') });
  });

  describe('checks itself, by built-in canaries unless it is in a sandbox', () => {
    let dns: NameServer;
    beforeEach(async () => {
      // The names that should exist do not, and the one that should not does.
      dns = await startNameServer(({ name }) => (name === 'missing.test' ? 'nodata' : { rcode: 'NXDOMAIN' }));
    });
    afterEach(() => dns.close());

    it.each([
      ['CANARY_NAME', 'there.test', false],
      ['CANARY_MISSING', 'missing.test', false],
      ['CANARY_HOST', 'mx.test', false],
      ['CANARY_NAME', '', true],
    ])('%s=%j: healthy is %s', async (variable, name, healthy) => {
      void start({ ...enrolled(), SANDBOX: '1', DNS: dns.address, [variable]: name });
      const link = await edge.link();
      expect(await link.frame('hello')).toMatchObject({ healthy });
    });

    it('is not healthy, and says why, if a resolver says that the built-in ones do not exist', async () => {
      void start({ ...enrolled(), DNS: dns.address });
      const link = await edge.link();
      expect(await link.frame('hello')).toMatchObject({ healthy: false });
      expect(await link.frame('status')).toMatchObject({ checked: false, failing: ['name', 'host', 'mailbox'] });
    });
  });

  it.each([
    ['nothing listens', 'http://127.0.0.1:1', 'ECONNREFUSED'],
    ['nobody has the name', 'http://edge.invalid:1', /ENOTFOUND|EAI_AGAIN/],
  ])('names what stands in the way if %s at the origin', async (_name, origin, cause) => {
    const path = join(folder, 'elsewhere.json');
    writeFileSync(path, JSON.stringify({ ...edge.enrolment, origin }), { mode: 0o600 });
    void start({ ENROLMENT: path, SANDBOX: '1' });
    let err = '';
    child?.stderr?.on('data', (data) => (err += String(data)));
    await expect.poll(() => err, { timeout: 10_000 }).toContain('link_lost');
    const lost = err.split('\n').find((line) => line.includes('link_lost')) ?? '{}';
    expect(JSON.parse(lost)).toMatchObject({
      level: 'warn',
      host: 'probe-1',
      cause: expect.stringMatching(cause),
      hint: expect.stringMatching(/origin|resolver/),
    });
  });

  it('serves metrics on loopback if configured, as soon as the port is free', async () => {
    const port = String(await freePort());
    const ended = start({ ...enrolled(), SANDBOX: '1', METRICS_PORT: port });
    const first = child;
    const link = await edge.link();
    await link.frame('hello');
    const page = async (): Promise<string> => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    await expect.poll(page, { timeout: 10_000 }).toMatch(/^rcpt_link_up\{shard="0"\} 1$/m);
    // A host is rolled by starting the new process beside the old one.
    void start({ ...enrolled(), SANDBOX: '1', METRICS_PORT: port });
    let beside = '';
    child?.stderr?.on('data', (data) => (beside += String(data)));
    await expect.poll(() => beside, { timeout: 30_000 }).toContain('metrics_port_taken');
    first?.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0 });
    await expect.poll(() => beside, { timeout: 30_000 }).toContain(`"event":"metrics_served","metricsPort":${port}`);
    expect(await page()).toContain('rcpt_healthy');
  }, 60_000);

  it('drains on SIGTERM and ends with 0, its log in JSON', async () => {
    const ended = start({ ...enrolled(), SANDBOX: '1' });
    const link = await edge.link();
    await link.frame('hello');
    child?.kill('SIGTERM');
    expect(await link.frame('status', 1)).toMatchObject({ draining: true });
    const { code, out, err } = await ended;
    expect({ code, out }).toEqual({ code: 0, out: '' });
    const events = err
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    const line = { at: expect.any(String), level: 'info', host: 'probe-1' };
    expect(events).toEqual([
      { ...line, event: 'started', version: expect.any(String), instance: expect.any(String) },
      { ...line, event: 'draining', signal: 'SIGTERM' },
      { ...line, event: 'drained' },
    ]);
  });

  it('ends at once on a second signal', async () => {
    const ended = start({ ...enrolled(), SANDBOX: '1' });
    const link = await edge.link();
    await link.frame('hello');
    // It waits for the edge to close the link too, which this one does not do.
    link.socket.pause();
    child?.kill('SIGINT');
    // The same Ctrl-C once more, as npm hands it on, is not a second one.
    child?.kill('SIGINT');
    await setTimeout(600);
    expect(child?.exitCode).toBe(null);
    child?.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 1 });
  });
});
