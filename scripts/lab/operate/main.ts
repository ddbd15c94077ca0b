import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import manifest from '../../../package.json' with { type: 'json' };
import { artefactName, buildProber } from '../../deploy/build-prober.ts';
import { readmeCommands } from './readme-commands.ts';
import { type RunningService, startRunningService } from '../../testing/running-service.ts';
import { bootstrap, Machine, whatIsMissing } from './machine.ts';
import { type Said, startWebhook, Witness } from './witness.ts';

// npm run lab:operate: an operator's bad days on a booted Debian 12 with its own systemd, against a service of its own on
// loopback, while somebody calls. Prints what /health, `admin status` and the webhook said to each, and after how long.

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const HOST = 'fra-1';
const NEXT = '9.0.1';
const CRASHING = '9.0.2';
/** What is wrong with a version, as a command in its folder. */
const CRASHES = String.raw`printf '#!/bin/sh\ncd "$(dirname "$0")"; ./node rcpt-prober.mjs & sleep 4; kill -KILL $!; echo it cannot go on >&2; exit 1\n' > rcpt-prober`;
const PORT = '28687';

async function main(given: string | undefined): Promise<void> {
  const missing = whatIsMissing();
  if (missing !== null) {
    process.stderr.write(`lab:operate: ${missing}\n`);
    process.exitCode = 2;
    return;
  }
  const work = mkdtempSync(join(tmpdir(), 'rcpt-operate-'));
  const lab = new Lab(work);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void lab.end().then(() => process.exit(1)));
  try {
    await lab.start(given);
    await lab.days();
  } catch (error) {
    process.stderr.write(`lab:operate: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  } finally {
    await lab.end();
  }
}

class Lab {
  readonly #work: string;
  #machine: Machine | null = null;
  #service: RunningService | null = null;
  #webhook: { readonly url: string; readonly server: Server } | null = null;
  #witness: Witness | null = null;

  constructor(work: string) {
    this.#work = work;
  }

  get machine(): Machine {
    if (this.#machine === null) throw new Error('the machine was not started');
    return this.#machine;
  }

  get witness(): Witness {
    if (this.#witness === null) throw new Error('the service was not started');
    return this.#witness;
  }

  async start(given: string | undefined): Promise<void> {
    const folder = join(this.#work, 'root');
    if (given === undefined) bootstrap(folder);
    else execFileSync('cp', ['--archive', given, folder]);
    await buildProber(join(this.#work, artefactName()));
    execFileSync('tar', ['-czf', join(folder, 'root', `${artefactName()}.tar.gz`), '-C', this.#work, artefactName()]);
    this.#machine = await Machine.boot(folder);
    const bin = join(this.#work, 'bin');
    mkdirSync(bin);
    this.machine.writeSsh(bin);
    process.env['PATH'] = `${bin}:${process.env['PATH'] ?? ''}`;
    this.#webhook = await startWebhook();
    await this.serve();
  }

  async serve(): Promise<void> {
    if (this.#webhook === null) throw new Error('there is no webhook');
    const state = join(this.#work, 'state');
    const variables = [`ALERT_WEBHOOK=${this.#webhook.url}`, 'RATE_LIMIT=0'].flatMap((one) => ['--var', one]);
    this.#service = await startRunningService(state, ['--port', PORT, '--hosts', '1', ...variables]);
    const { ready } = this.#service;
    this.#witness = new Witness(ready, this.#webhook.server);
    const [local] = ready.hosts;
    if (local !== undefined) this.#leaveAlone(local.id, local.pid);
    await this.witness.admin('credits', 'grant', ready.accountId, '100000', '--id', 'lab');
    if (local !== undefined) await this.witness.admin('host', 'remove', local.id);
  }

  /** The machine's host is to be the only one, in the world that the service's own host knows. */
  #leaveAlone(id: string, pid: number): void {
    const own = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    const kept = own.filter((line) => /^(?:SANDBOX|DNS|STUB|ROUTE|CANARY_\w+)=/.test(line));
    if (kept.length === 0) throw new Error(`${id} has no settings to learn from`);
    mkdirSync(join(this.machine.folder, 'etc/rcpt'), { recursive: true, mode: 0o700 });
    writeFileSync(join(this.machine.folder, 'etc/rcpt/rcpt-prober.env'), `${kept.join('\n')}\n`, { mode: 0o600 });
  }

  /** Prints each as it ends: what is seen is not lost with a later day. */
  async days(): Promise<void> {
    await day('join, as prober/deploy/README.md says', () => this.#join());
    await day(`roll to ${NEXT}`, () => this.#roll(NEXT));
    await day(`roll to ${CRASHING}, which crashes 4 s after its start`, () => this.#roll(CRASHING, CRASHES));
    await day('host remove, then join --replace', () => this.#rejoin());
    const answers = [...this.witness.answers].map(([status, n]) => `${n} × ${status}`).join(', ');
    process.stdout.write(`\nanswers to the caller: ${answers}\n`);
  }

  async #join(): Promise<readonly Said[]> {
    const readme = readFileSync(join(ROOT, 'prober/deploy/README.md'), 'utf8');
    const seen = this.witness.watch((health) => (health?.ready ?? 0) > 0, 180);
    for (const command of readmeCommands(readme, `http://127.0.0.1:${PORT}`, await this.#invite()))
      await this.machine.must(command);
    return seen;
  }

  async #invite(): Promise<string> {
    const invited = await this.witness.admin('--json', 'host', 'invite', HOST);
    return z.object({ invitation: z.string() }).parse(JSON.parse(invited)).invitation;
  }

  /** @param wrong with this version */
  async #roll(version: string, wrong = 'true'): Promise<readonly Said[]> {
    const from = `/opt/rcpt-prober/${manifest.version}`;
    const to = `/opt/rcpt-prober/${version}`;
    await this.machine.must(
      `cp -r ${from} ${to} && cd ${to} && sed -i 's/"${manifest.version}"/"${version}"/' rcpt-prober.mjs && ${wrong}`,
    );
    let ended: string | null = null;
    void this.witness.admin('fleet', 'roll', version, '--ssh', 'root@{host}').then((said) => (ended = said));
    const seen = await this.witness.watch(() => ended !== null, 400);
    return [
      ...seen,
      { who: 'status', afterS: 0, text: `the roll said: ${(ended ?? 'nothing').trim().split('\n').at(-1) ?? ''}` },
    ];
  }

  async #rejoin(): Promise<readonly Said[]> {
    const gone = this.#untilTold(/host/);
    await this.witness.admin('host', 'remove', HOST);
    const before = await gone;
    const back = this.#untilWell('after join --replace');
    await this.machine.must(`rcpt-prober join --replace http://127.0.0.1:${PORT} ${await this.#invite()}`);
    return [...before, ...(await back)];
  }

  /** Until all three have spoken of this outage, and not of the one before. */
  #untilTold(about: RegExp): Promise<readonly Said[]> {
    return this.witness.watch(
      (_health, said) =>
        (['health', 'webhook', 'status'] as const).every((who) =>
          said.some((one) => one.who === who && about.test(one.text)),
        ),
      300,
    );
  }

  /** Failures of five minutes count where there are few calls. */
  async #untilWell(since: string): Promise<readonly Said[]> {
    const said = await this.witness.watch((health) => health?.problems.length === 0, 420);
    return said.map((one) => ({ ...one, text: `${since}: ${one.text}` }));
  }

  async end(): Promise<void> {
    this.#witness?.close();
    await this.#service?.stop();
    await this.#machine?.stop();
    this.#webhook?.server.closeAllConnections();
    this.#webhook?.server.close();
    rmSync(this.#work, { recursive: true, force: true });
  }
}

async function day(name: string, run: () => Promise<readonly Said[]>): Promise<void> {
  process.stderr.write(`${name} …\n`);
  print(name, await run());
}

function print(name: string, said: readonly Said[]): void {
  process.stdout.write(`\n${name}\n`);
  for (const { who, afterS, text } of said)
    process.stdout.write(`  ${`${afterS} s`.padStart(8)}  ${who.padEnd(7)}  ${text}\n`);
}

await main(process.argv[2]);
