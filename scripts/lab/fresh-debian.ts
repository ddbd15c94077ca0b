import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { hostsSchema } from '../../schema/admin.ts';
import { healthSchema } from '../../schema/api.ts';
import { runAdmin } from '../admin/program.ts';
import { type RunningService, startRunningService } from '../testing/running-service.ts';
import { artefactName, buildProber } from '../deploy/build-prober.ts';
import { readmeCommands } from '../deploy/readme-commands.ts';

// npm run fresh-debian: the commands of prober/deploy/README.md on a Debian 12 that has nothing, from the archive to a host that
// takes batches. The machine is a root of debootstrap's smallest variant in a chroot, which shares this machine's loopback
// with the edge. systemd does not run in a chroot: a stand-in starts and stops processes in its place, and what the unit
// says is proven by `systemd-analyze` (../deploy/kit.process.test.ts).

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SUITE = 'bookworm';
const HOST = 'fra-1';
const READY_WITHIN_MS = 30_000;
/** Nothing of this machine's environment. */
const ENV = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root', LANG: 'C.UTF-8' };

async function main(given: string | undefined): Promise<void> {
  if (process.getuid?.() !== 0) return refuse('run it as root: it makes a root file system and enters it');
  if (spawnSync('debootstrap', ['--version']).error !== undefined) return refuse('install debootstrap');
  const work = mkdtempSync(join(tmpdir(), 'rcpt-debian-'));
  let service: RunningService | null = null;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      stopUnits(join(work, 'root'));
      service?.kill('SIGTERM');
      rmSync(work, { recursive: true, force: true });
      process.exit(1);
    });
  try {
    const machine = join(work, 'root');
    if (given === undefined) bootstrap(machine);
    else execFileSync('cp', ['--archive', given, machine]);
    say(`Debian ${readFileSync(join(machine, 'etc/debian_version'), 'utf8').trim()}, ${packagesOf(machine)} packages`);
    await bring(work, machine);
    service = await startRunningService(mkdtempSync(join(work, 'state-')), ['--hosts', '0']);
    const origin = new URL(service.ready.url).origin;
    const operator = ['--json', '--url', origin, '--operator-key', service.ready.operatorKey];
    const invited = await admin(...operator, 'host', 'invite', HOST);
    const { invitation } = z.object({ invitation: z.string() }).parse(JSON.parse(invited));
    const readme = readFileSync(join(ROOT, 'prober/deploy/README.md'), 'utf8');
    for (const command of readmeCommands(readme, origin, invitation)) await run(machine, command, invitation);
    await untilReady(origin);
    const { hosts } = hostsSchema.parse(JSON.parse(await admin(...operator, 'host', 'list')));
    const [host] = hosts;
    if (host?.healthy !== true) throw new Error(`${HOST} is connected and not healthy: ${host?.why ?? 'unknown'}`);
    say(`${HOST} is ready: version ${host.processes[0]?.version ?? 'unknown'}, connected and healthy`);
  } catch (error) {
    process.stderr.write(`fresh-debian: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  } finally {
    stopUnits(join(work, 'root'));
    await service?.stop();
    rmSync(work, { recursive: true, force: true });
  }
}

/** @returns what it printed */
async function admin(...args: readonly string[]): Promise<string> {
  let out = '';
  let err = '';
  const code = await runAdmin(args, {}, { out: (text) => (out += text), err: (text) => (err += text) });
  if (code !== 0) throw new Error(`admin: ${err}`);
  return out;
}

/** The mirror that apt of this machine asks for this suite. */
function mirror(): string {
  const format = ['--format', '$(SITE) $(RELEASE) $(COMPONENT)', 'Created-By: Packages'];
  const targets = execFileSync('apt-get', ['indextargets', ...format], { encoding: 'utf8' }).split('\n');
  const [site] = targets.find((line) => line.endsWith(` ${SUITE} main`))?.split(' ') ?? [];
  if (site === undefined)
    throw new Error(`apt of this machine has no mirror of Debian ${SUITE}: give a root of your own`);
  return site;
}

function bootstrap(machine: string): void {
  const made = spawnSync('debootstrap', ['--variant=minbase', SUITE, machine, mirror()], { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`debootstrap failed:\n${made.stdout.split('\n').slice(-5).join('\n')}`);
}

function packagesOf(machine: string): number {
  return readdirSync(join(machine, 'var/lib/dpkg/info')).filter((name) => name.endsWith('.list')).length;
}

/** Copies the archive to the machine, and the stand-in for systemd. */
async function bring(work: string, machine: string): Promise<void> {
  await buildProber(join(work, artefactName()));
  const archive = join(machine, 'root', `${artefactName()}.tar.gz`);
  execFileSync('tar', ['-czf', archive, '-C', work, artefactName()]);
  if (existsSync(join(machine, 'usr/bin/systemctl')))
    throw new Error('this root has a systemd: it is not a fresh minbase');
  copyFileSync(join(ROOT, 'scripts/deploy/testing/systemctl'), join(machine, 'usr/bin/systemctl'));
  chmodSync(join(machine, 'usr/bin/systemctl'), 0o755);
}

/** Runs one command as root of the machine. What it starts in the background goes on, and has no stream of ours. */
async function run(machine: string, command: string, secret: string): Promise<void> {
  say(`# ${command.replace(secret, 'rcpt-join-…')}`);
  const child = spawn('chroot', [machine, 'sh', '-c', `cd && ${command}`], {
    env: ENV,
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: 120_000,
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`exit code ${String(code)}`);
}

async function untilReady(origin: string): Promise<void> {
  const giveUpAt = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const health = healthSchema.parse(await (await fetch(`${origin}/health`)).json());
    if (health.ready > 0) return;
    if (performance.now() > giveUpAt) throw new Error(`no host takes batches after ${READY_WITHIN_MS / 1000} s`);
    await sleep(250);
  }
}

/** The processes that the stand-in started. */
function stopUnits(machine: string): void {
  const units = join(machine, 'run/units');
  if (!existsSync(units)) return;
  for (const unit of readdirSync(units)) {
    const pid = Number(readFileSync(join(units, unit), 'utf8'));
    if (Number.isInteger(pid) && pid > 1) spawnSync('kill', ['-KILL', String(pid)]);
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function refuse(why: string): void {
  process.stderr.write(`fresh-debian: ${why}\n`);
  process.exitCode = 2;
}

await main(process.argv[2]);
