import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shellWord } from '../base/shell-word.ts';
import type { StartOptions } from './arguments.ts';

const MAIN = fileURLToPath(new URL('../../prober/main.ts', import.meta.url));

/** Settings that all hosts of this service share; each also has its own enrolment. */
export type HostWorld = Pick<StartOptions, 'sandbox' | 'dns' | 'stub' | 'route'> & {
  /** Names and servers of this world by which its hosts check themselves; null: none are known. */
  readonly canaries: Readonly<Record<'name' | 'missing' | 'host' | 'mailbox', string>> | null;
};

export type HostProcess = {
  readonly id: string;
  readonly pid: number;
  /** Resolves when the process has ended, with its exit code; null if a signal ended it. */
  readonly ended: Promise<number | null>;
  readonly isRunning: () => boolean;
  /** The shell command that restarts it, from the current folder. */
  readonly command: string;
  /** Lets it finish its jobs and exit; kills it after this many milliseconds. */
  readonly drain: (patienceMs: number) => Promise<void>;
};

/**
 * Starts a probe host as a process of its own. Its log goes to our standard error.
 * @param onDeath called if it exits without having been asked to, with the reason
 * @throws Error if the process cannot be started
 */
export async function startHost(
  id: string,
  enrolment: string,
  world: HostWorld,
  onDeath: (how: string) => void,
): Promise<HostProcess> {
  const variables = hostVariables(enrolment, world);
  // In a process group of its own: Ctrl-C in a terminal is for us, and we drain it.
  const child = spawn(process.execPath, [MAIN], {
    env: { ...process.env, ...variables },
    stdio: ['ignore', 2, 2],
    detached: true,
  });
  await once(child, 'spawn');
  const { pid } = child;
  if (pid === undefined) throw new Error('the process has no id');
  let asked = false;
  const ended = new Promise<number | null>((resolve) => {
    child.once('exit', (code, signal) => {
      if (!asked) onDeath(signal === null ? `with exit code ${code}` : `on ${signal}`);
      resolve(code);
    });
  });
  return {
    id,
    pid,
    ended,
    isRunning: () => isRunning(child),
    command: shellCommand(variables),
    drain: async (patienceMs) => {
      asked = true;
      if (!isRunning(child)) return;
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
      await ended;
      clearTimeout(timer);
    },
  };
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

/** The environment that prober/base/config.ts reads. */
function hostVariables(enrolment: string, world: HostWorld): Readonly<Record<string, string>> {
  return {
    ENROLMENT: enrolment,
    ...(world.sandbox ? { SANDBOX: '1' } : {}),
    ...(world.dns.length === 0 ? {} : { DNS: world.dns.join(',') }),
    ...(world.stub.length === 0 ? {} : { STUB: world.stub.join(',') }),
    ...(world.route.length === 0 ? {} : { ROUTE: world.route.join(',') }),
    ...canaryVariables(world),
  };
}

/** A variable that is already set for the hosts is kept, even if it is empty. */
function canaryVariables({ canaries }: HostWorld): Readonly<Record<string, string>> {
  const given = Object.keys(process.env).some((name) => name.startsWith('CANARY_'));
  if (canaries === null || given) return {};
  return {
    CANARY_NAME: canaries.name,
    CANARY_MISSING: canaries.missing,
    CANARY_HOST: canaries.host,
    CANARY_MAILBOX: canaries.mailbox,
  };
}

function shellCommand(variables: Readonly<Record<string, string>>): string {
  const settings = Object.entries(variables).map(([name, value]) => `${name}=${shellWord(value)}`);
  return `${settings.join(' ')} ${shellWord(process.execPath)} ${shellWord(relative(process.cwd(), MAIN))}`;
}
