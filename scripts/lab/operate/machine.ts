import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

// A Debian 12 that boots, in a container of systemd-nspawn that shares this machine's loopback with the edge and nothing else
// of it.

const BOOTS_WITHIN_MS = 180_000;
const COMMAND_MAX_MS = 600_000;
/** systemd's signal for a quick power-off: SIGRTMIN+4. */
const POWER_OFF = '-38';

/** What is missing on this machine, in words; null: nothing. */
export function whatIsMissing(): string | null {
  if (process.getuid?.() !== 0) return 'run it as root: it boots a machine';
  for (const [command, from] of [
    ['systemd-nspawn', 'systemd-container'],
    ['nsenter', 'util-linux'],
  ] as const)
    if (spawnSync(command, ['--version']).error !== undefined) return `${command} is missing: apt-get install ${from}`;
  return null;
}

export class Machine {
  readonly folder: string;
  readonly #container: ChildProcess;
  /** Its process 1, as this machine numbers it. */
  readonly #leader: string;

  private constructor(folder: string, container: ChildProcess, leader: string) {
    this.folder = folder;
    this.#container = container;
    this.#leader = leader;
  }

  /** @throws Error if it has not booted in time */
  static async boot(folder: string): Promise<Machine> {
    const container = spawn('systemd-nspawn', ['--quiet', '-D', folder, '-b', '--register=no', '--keep-unit'], {
      stdio: 'ignore',
    });
    const giveUpAt = performance.now() + BOOTS_WITHIN_MS;
    for (;;) {
      const leader = childOf(container.pid ?? 0);
      if (leader !== null) {
        const machine = new Machine(folder, container, leader);
        const { out } = await machine.run('systemctl is-system-running || true');
        if (/^(?:running|degraded)/.test(out)) return machine;
      }
      if (performance.now() > giveUpAt || container.exitCode !== null) {
        container.kill('SIGKILL');
        throw new Error(`the machine has not booted within ${BOOTS_WITHIN_MS / 1_000} s`);
      }
      await sleep(250);
    }
  }

  /** Runs a command as root of the machine. */
  async run(command: string): Promise<{ readonly ok: boolean; readonly out: string }> {
    const child = spawn('nsenter', ['--target', this.#leader, '--all', '--', 'sh', '-c', `cd /root; ${command}`], {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: COMMAND_MAX_MS,
      env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root', LANG: 'C.UTF-8' },
    });
    let out = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => (out += data.toString('utf8')));
    const ok = await new Promise<boolean>((resolve) => child.once('close', (code) => resolve(code === 0)));
    return { ok, out: out.trim() };
  }

  /** @throws Error with its words if it fails */
  async must(command: string): Promise<string> {
    const { ok, out } = await this.run(command);
    if (!ok) throw new Error(`on the machine: ${command.split(' ')[0] ?? ''}: ${out.slice(-600)}`);
    return out;
  }

  /** Writes an `ssh` into this folder that runs commands on this machine, for any destination. */
  writeSsh(bin: string): void {
    const path = join(bin, 'ssh');
    const script = `#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nexec nsenter --target ${this.#leader} --all -- sh -c "$3"\n`;
    writeFileSync(path, script);
    chmodSync(path, 0o755);
  }

  async stop(): Promise<void> {
    const ended = new Promise<void>((resolve) => this.#container.once('exit', () => resolve()));
    spawnSync('kill', [POWER_OFF, this.#leader]);
    const timer = setTimeout(() => this.#container.kill('SIGKILL'), 20_000);
    if (this.#container.exitCode === null && this.#container.signalCode === null) await ended;
    clearTimeout(timer);
  }
}

function childOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0] || null;
  } catch {
    return null;
  }
}
