import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import manifest from '../../../package.json' with { type: 'json' };
import { artefactName, buildProber } from '../../deploy/build-prober.ts';
import { startRunningService } from '../../testing/running-service.ts';
import { Machine, whatIsMissing } from './machine.ts';
import { type Said, startWebhook, Witness } from './witness.ts';

// npm run lab:operate: an operator's bad days on a booted Debian 12 with its own systemd, against a service of its own on
// loopback, while somebody calls. Prints what /health, `admin status` and the webhook said to each, and after how long.

const README = fileURLToPath(new URL('../../../prober/deploy/README.md', import.meta.url));
const HOST = 'fra-1';
const NEXT = '9.0.1';
const CRASHING = '9.0.2';
/** What is wrong with a version, as a command in its folder. */
const CRASHES = String.raw`printf '#!/bin/sh\ncd "$(dirname "$0")"; ./node rcpt-prober.mjs & sleep 4; kill -KILL $!; echo it cannot go on >&2; exit 1\n' > rcpt-prober`;
const PORT = '28687';
const ORIGIN = `http://127.0.0.1:${PORT}`;

type Lab = { readonly machine: Machine; readonly witness: Witness };
/** What ends a thing that was started, in the order of their starts. */
type Undo = (() => unknown)[];

async function main(root: string | undefined): Promise<void> {
  const missing =
    root === undefined ? 'name the folder of a Debian 12: scripts/lab/README.md makes one' : whatIsMissing();
  if (root === undefined || missing !== null) {
    process.stderr.write(`lab:operate: ${missing}\n`);
    process.exitCode = 2;
    return;
  }
  const work = mkdtempSync(join(tmpdir(), 'rcpt-operate-'));
  const undo: Undo = [() => rmSync(work, { recursive: true, force: true })];
  const end = async (): Promise<void> => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void end().then(() => process.exit(1)));
  try {
    await liveThrough(await start(work, root, undo));
  } catch (error) {
    process.stderr.write(`lab:operate: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  } finally {
    await end();
  }
}

async function start(work: string, root: string, undo: Undo): Promise<Lab> {
  const folder = join(work, 'root');
  execFileSync('cp', ['--archive', root, folder]);
  await buildProber(join(work, artefactName()));
  execFileSync('tar', ['-czf', join(folder, 'root', `${artefactName()}.tar.gz`), '-C', work, artefactName()]);
  const machine = await Machine.boot(folder);
  undo.push(() => machine.stop());
  const bin = join(work, 'bin');
  mkdirSync(bin);
  machine.writeSsh(bin);
  process.env['PATH'] = `${bin}:${process.env['PATH'] ?? ''}`;
  const webhook = await startWebhook();
  undo.push(() => webhook.server.close().closeAllConnections());
  const variables = [`ALERT_WEBHOOK=${webhook.url}`, 'RATE_LIMIT=0'].flatMap((one) => ['--var', one]);
  const args = ['--port', PORT, '--hosts', '1', ...variables];
  const service = await startRunningService(join(work, 'state'), args);
  undo.push(() => service.stop());
  const witness = new Witness(service.ready, webhook.server);
  undo.push(() => witness.close());
  const [local] = service.ready.hosts;
  if (local === undefined) throw new Error('the service has no host');
  leaveAlone(machine, local.pid);
  await witness.admin('credits', 'grant', service.ready.accountId, '100000', '--id', 'lab');
  await witness.admin('host', 'remove', local.id);
  return { machine, witness };
}

/** The machine's host is to be the only one, in the world that the service's own host knows. */
function leaveAlone({ folder }: Machine, pid: number): void {
  const own = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  const kept = own.filter((line) => /^(?:SANDBOX|DNS|STUB|ROUTE|CANARY_\w+)=/.test(line));
  mkdirSync(join(folder, 'etc/rcpt'), { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'etc/rcpt/rcpt-prober.env'), `${kept.join('\n')}\n`, { mode: 0o600 });
}

/** Prints each day as it ends: what is seen is not lost with a later one. */
async function liveThrough(lab: Lab): Promise<void> {
  await day('join, as prober/deploy/README.md says', () => joinAsReadme(lab));
  await day(`roll to ${NEXT}`, () => roll(lab, NEXT));
  await day(`roll to ${CRASHING}, which crashes 4 s after its start`, () => roll(lab, CRASHING, CRASHES));
  await day('host remove, then join --replace', () => rejoin(lab));
  const answers = [...lab.witness.answers].map(([status, n]) => `${n} × ${status}`).join(', ');
  process.stdout.write(`\nanswers to the caller: ${answers}\n`);
}

async function day(name: string, live: () => Promise<readonly Said[]>): Promise<void> {
  process.stderr.write(`${name} …\n`);
  const said = await live();
  process.stdout.write(`\n${name}\n`);
  for (const { who, afterS, text } of said)
    process.stdout.write(`  ${`${afterS} s`.padStart(8)}  ${who.padEnd(7)}  ${text}\n`);
}

/** By the commands that make a fresh Debian a host, to the letter but for the deployment and the invitation. */
async function joinAsReadme({ machine, witness }: Lab): Promise<readonly Said[]> {
  const [, block] = /There, as root:\n\n((?: {4}.+\n)+)/.exec(readFileSync(README, 'utf8')) ?? [];
  if (block === undefined) throw new Error(`${README}: no commands follow "There, as root:"`);
  const invitation = await invite(witness);
  const seen = witness.watch((health) => (health?.ready ?? 0) > 0, 180);
  for (const line of block.trimEnd().split('\n')) {
    const command = line.replace(/\s+# .*$/, '').trim();
    await machine.must(command.replace('https://verify.example.com', ORIGIN).replace('rcpt-join-…', invitation));
  }
  return seen;
}

async function invite(witness: Witness): Promise<string> {
  const invited = await witness.admin('--json', 'host', 'invite', HOST);
  return z.object({ invitation: z.string() }).parse(JSON.parse(invited)).invitation;
}

/** @param wrong with this version */
async function roll({ machine, witness }: Lab, version: string, wrong = 'true'): Promise<readonly Said[]> {
  const from = `/opt/rcpt-prober/${manifest.version}`;
  const to = `/opt/rcpt-prober/${version}`;
  await machine.must(
    `cp -r ${from} ${to} && cd ${to} && sed -i 's/"${manifest.version}"/"${version}"/' rcpt-prober.mjs && ${wrong}`,
  );
  let ended = '';
  void witness.admin('fleet', 'roll', version, '--ssh', 'root@{host}').then((said) => (ended = said));
  const seen = await witness.watch(() => ended !== '', 400);
  return [...seen, { who: 'status', afterS: 0, text: `the roll said: ${ended.trim().split('\n').at(-1) ?? ''}` }];
}

async function rejoin({ machine, witness }: Lab): Promise<readonly Said[]> {
  const everybody = ['health', 'webhook', 'status'] as const;
  const gone = witness.watch(
    (_health, said) => everybody.every((who) => said.some((one) => one.who === who && one.text.includes('host'))),
    300,
  );
  await witness.admin('host', 'remove', HOST);
  const before = await gone;
  // Failures of five minutes count where there are few calls.
  const back = witness.watch((health) => health?.problems.length === 0, 420);
  await machine.must(`rcpt-prober join --replace ${ORIGIN} ${await invite(witness)}`);
  return [...before, ...(await back).map((one) => ({ ...one, text: `after join --replace: ${one.text}` }))];
}

await main(process.argv[2]);
