import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const READY_WITHIN_MS = 15_000;
const LEAVES_WITHIN_MS = 5_000;

export type Daemon = {
  readonly pid: number;
  /** Its log so far: what it has printed, errors included, and its log file if it has one. */
  readonly log: () => string;
  /** Ends it and all its children. */
  readonly stop: () => Promise<void>;
};

/** Where its log lies, and who ends it if this process is killed. */
type Keeper = { readonly folder: string; readonly guard: (group: number) => void };

export type DaemonPlan = {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly logFile?: string;
  /** Where it listens once it serves. */
  readonly ip: string;
  readonly port: number;
};

/** Runs a server in the foreground as a process group of its own and waits until it serves; throws with its output if it does not. */
export async function startDaemon(plan: DaemonPlan, keeper: Keeper): Promise<Daemon> {
  // A file and not a pipe: Node's pipes are sockets, which a program cannot open by the name /dev/stdout.
  const path = join(keeper.folder, `${plan.name}.log`);
  const log = await open(path, 'a');
  const child = spawn(plan.command, plan.args, {
    detached: true,
    env: { PATH: process.env['PATH'], ...plan.env },
    stdio: ['ignore', log.fd, log.fd],
  });
  child.on('error', () => {});
  const { pid } = child;
  await log.close();
  if (pid === undefined) throw new Error(`${plan.name} cannot be run as ${plan.command}`);
  const files = [path, ...(plan.logFile === undefined ? [] : [plan.logFile])];
  const readLog = () => files.map((file) => (existsSync(file) ? readFileSync(file, 'utf8') : '')).join('');
  keeper.guard(pid);
  const stop = () => stopGroup(child, pid);
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!(await accepts(plan.ip, plan.port))) {
    if (hasEnded(child) || Date.now() > deadline) {
      await stop();
      throw new Error(`${plan.name} did not start:\n${readLog()}`);
    }
    await wait(25);
  }
  return { pid, log: readLog, stop };
}

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const answer = (is: boolean): void => {
      socket.destroy();
      resolve(is);
    };
    socket.setTimeout(1_000, () => answer(false));
    socket.once('connect', () => answer(true));
    socket.once('error', () => answer(false));
  });
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

/** TERM to the whole group, KILL to what is left of it after a while. */
async function stopGroup(child: ChildProcess, pid: number): Promise<void> {
  signalGroup(pid, 'SIGTERM');
  const deadline = Date.now() + LEAVES_WITHIN_MS;
  while (signalGroup(pid, 0) || !hasEnded(child)) {
    if (Date.now() > deadline + LEAVES_WITHIN_MS) throw new Error(`process group ${pid} cannot be ended`);
    if (Date.now() > deadline) signalGroup(pid, 'SIGKILL');
    await wait(20);
  }
}

function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}
