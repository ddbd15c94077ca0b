import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { hostsSchema } from '../../schema/admin.ts';
import { freePort } from '../local/port.ts';
import { runNode } from '../testing/run-node.ts';
import { newStateFolder, type RunningService, startRunningService } from '../testing/running-service.ts';
import { artefactName, buildProber } from './build-prober.ts';

// The artefact and its kit, on machines that are folders: built, installed, joined and rolled by the commands of
// `prober/deploy/README.md`, with a stand-in for ssh and for systemd.

const STAND_INS = fileURLToPath(new URL('./testing', import.meta.url));
const BUNDLE_BYTES_MAX = 20_000_000;

let folder: string;
let service: RunningService;
let origin: string;
let version: string;
/** Archives of two versions that differ in their name alone. */
let artefacts: Readonly<Record<'old' | 'new' | 'broken', string>>;
let bundleBytes: number;
const machine = (host: string): string => join(folder, 'machines', host);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rcpt-artefact-'));
  for (const name of ['machines', 'tmp']) mkdirSync(join(folder, name));
  const built = join(folder, artefactName());
  bundleBytes = await buildProber(built);
  // The same Node, without a copy of it for each archive.
  rmSync(join(built, 'node'));
  symlinkSync(process.execPath, join(built, 'node'));
  version = artefactName().replace('rcpt-prober-', '');
  artefacts = { old: pack(version), new: packAs('9.9.9'), broken: packAs('6.6.6', 'process.exit(3);') };
  service = await startRunningService(await newStateFolder(), ['--hosts', '0']);
  origin = new URL(service.ready.url).origin;
}, 120_000);
afterAll(async () => {
  for (const host of readdirSync(join(folder, 'machines')))
    for (const unit of readdirSync(join(machine(host), 'run/units')))
      spawnSync('kill', ['-9', readFileSync(join(machine(host), 'run/units', unit), 'utf8').trim()]);
  await service.stop();
  rmSync(folder, { recursive: true });
});

function pack(name: string): string {
  const archive = join(folder, `rcpt-prober-${name}.tar.gz`);
  execFileSync('tar', ['-czf', archive, '-C', folder, `rcpt-prober-${name}`]);
  return archive;
}

/** The artefact under another version, and with this instead of its program if it is given. */
function packAs(name: string, program?: string): string {
  const from = join(folder, artefactName());
  const to = join(folder, `rcpt-prober-${name}`);
  execFileSync('cp', ['-r', from, to]);
  const bundle = join(to, 'rcpt-prober.mjs');
  const text = readFileSync(bundle, 'utf8');
  const renamed = text.replace(`version: "${version}"`, `version: "${name}"`);
  expect(renamed).not.toBe(text);
  writeFileSync(bundle, program ?? renamed);
  return pack(name);
}

/** Runs a command on a machine as its root would. */
function on(host: string, command: string) {
  const root = machine(host);
  const env = { PATH: `${STAND_INS}:${root}/usr/local/bin:/usr/bin:/bin`, RCPT_ROOT: root, RCPT_ROLL_WAIT_S: '1' };
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
    env,
    cwd: '/',
    encoding: 'utf8',
    timeout: 120_000,
  });
  return { code: status, out: stdout, err: stderr };
}

const admin = (...args: readonly string[]) =>
  runNode('scripts/admin.ts', ['--url', origin, '--operator-key', service.ready.operatorKey, ...args], {
    env: {
      PATH: `${STAND_INS}:${process.env['PATH'] ?? ''}`,
      MACHINES: join(folder, 'machines'),
      TMPDIR: join(folder, 'tmp'),
    },
  });
const roll = (name: string, archive: string, ...more: readonly string[]) =>
  admin('fleet', 'roll', name, '--ssh', '{host}', '--artefact', archive, '--watch', '1', ...more);
async function versionsOf(host: string): Promise<readonly (string | null)[]> {
  const { hosts } = hostsSchema.parse(JSON.parse((await admin('host', 'list', '--json')).out));
  return hosts.find(({ id }) => id === host)?.processes.map((process) => process.version) ?? [];
}

/** From a machine with nothing on it to a host that serves, by the kit's own commands. */
async function setUp(host: string): Promise<void> {
  mkdirSync(machine(host));
  const unpacked = on(host, `cd ${machine(host)} && tar -xzf ${artefacts.old} && sh ${artefactName()}/install.sh`);
  expect(unpacked).toMatchObject({ code: 0, out: expect.stringContaining(`rcpt-prober ${version} is installed`) });
  const { out } = await admin('host', 'invite', host, '--json');
  const { invitation } = z.object({ invitation: z.string() }).parse(JSON.parse(out));
  appendFileSync(join(machine(host), 'etc/rcpt/rcpt-prober.env'), `METRICS_PORT=${await freePort()}\n`);
  const joined = on(host, `rcpt-prober join ${origin} ${invitation} --out ${machine(host)}/etc/rcpt/enrolment.json`);
  expect(joined).toMatchObject({ code: 0, err: '', out: expect.stringContaining(`This machine is host ${host}`) });
  expect(on(host, `rcpt-roll ${version}`)).toMatchObject({ code: 0, err: '' });
  await expect.poll(() => versionsOf(host), { timeout: 60_000 }).toEqual([version]);
}

describe('the artefact', { timeout: 240_000 }, () => {
  test('is one bundle of less than 20 MB, and starts far from any node_modules', () => {
    expect(bundleBytes).toBeLessThan(BUNDLE_BYTES_MAX);
    expect(readdirSync(join(folder, artefactName())).filter((name) => name === 'node_modules')).toEqual([]);
    const env = { PATH: '/usr/bin:/bin' };
    const start = (...args: readonly string[]) =>
      spawnSync(join(folder, artefactName(), 'rcpt-prober'), args, { env, cwd: '/', encoding: 'utf8' });
    expect(start('--version')).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
    expect(start()).toMatchObject({ status: 2, stderr: expect.stringMatching(/^prober: ENROLMENT: is missing/) });
  });

  test('becomes a host by three commands, and keeps its secrets from others', async () => {
    await setUp('fra-1');
    const etc = join(machine('fra-1'), 'etc/rcpt');
    expect(statSync(etc).mode & 0o777).toBe(0o700);
    expect(statSync(join(etc, 'enrolment.json')).mode & 0o777).toBe(0o600);
    expect((await fetch(`${origin}/health`)).status).toBe(200);
  });

  test('is rolled host by host: the new one is healthy before the old one drains, and batches are served throughout', async () => {
    await setUp('fra-2');
    let [served, failed] = [0, 0];
    const stop = new AbortController();
    const load = (async () => {
      while (!stop.signal.aborted) {
        const answer = await fetch(`${origin}/api/v1/verify`, {
          method: 'POST',
          headers: { authorization: `Bearer ${service.ready.apiKey}` },
          body: JSON.stringify({ emails: ['not an address'] }),
        });
        await answer.arrayBuffer();
        if (answer.status === 200) served += 1;
        else failed += 1;
        await new Promise((wake) => setTimeout(wake, 1_100));
      }
    })();
    const rolled = await roll('9.9.9', artefacts.new);
    stop.abort();
    await load;
    expect(rolled).toMatchObject({ code: 0, err: '' });
    expect(rolled.out.trim().split('\n')).toEqual([
      'fra-1: 9.9.9 has started next to the old version',
      'fra-1: 9.9.9 reached no mail server for a call while it was watched; it has only stayed up',
      'fra-1: 9.9.9 has served for 1 s, the old version drains',
      'fra-2: 9.9.9 has started next to the old version',
      'fra-2: 9.9.9 reached no mail server for a call while it was watched; it has only stayed up',
      'fra-2: 9.9.9 has served for 1 s, the old version drains',
      '2 hosts done',
    ]);
    expect({ failed, hasServed: served > 0 }).toEqual({ failed: 0, hasServed: true });
    for (const host of ['fra-1', 'fra-2'])
      await expect.poll(() => versionsOf(host), { timeout: 60_000 }).toEqual(['9.9.9']);
    const calls = readFileSync(join(machine('fra-2'), 'run/calls'), 'utf8');
    expect(calls.indexOf('start rcpt-prober@9.9.9')).toBeLessThan(
      calls.indexOf(`stop --no-block rcpt-prober@${version}`),
    );
    expect((await roll('9.9.9', artefacts.new)).out).toContain('fra-1: already runs 9.9.9');
  });
});
