import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The code of this commit. */
export const TODAY = fileURLToPath(new URL('../../..', import.meta.url));

/** One process of a probe host. Its mail servers know it by its envelope sender. */
export type Host = {
  readonly name: string;
  readonly sender: string;
  readonly pid: number;
  readonly signal: (signal: 'SIGSTOP' | 'SIGCONT' | 'SIGTERM' | 'SIGKILL') => void;
  /** How it ended: exit code, null if a signal ended it. */
  readonly ended: Promise<number | null>;
};

export type HostPlan = {
  readonly name: string;
  /** The folder of the code that it runs. */
  readonly code: string;
  readonly within: (command: readonly string[]) => readonly [file: string, args: readonly string[]];
  readonly enrolmentFile: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Where its log goes. */
  readonly logFile: string;
};

/** Starts a probe host as a process of its own. */
export async function startHost(plan: HostPlan): Promise<Host> {
  const { name, code, enrolmentFile, variables, logFile } = plan;
  const sender = `probe@${name}.torture.example`;
  const [file, args] = plan.within([process.execPath, `${code}/prober/main.ts`]);
  const log = await open(logFile, 'a');
  const child = spawn(file, args, {
    env: { ...process.env, ...variables, SANDBOX: '1', MAIL_FROM: sender, ENROLMENT: enrolmentFile },
    stdio: ['ignore', log.fd, log.fd],
    detached: true,
  });
  await once(child, 'spawn');
  await log.close();
  return { name, sender, pid: child.pid ?? -1, signal: (signal) => child.kill(signal), ended: endOf(child) };
}

function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once('exit', (code) => resolve(code)));
}
