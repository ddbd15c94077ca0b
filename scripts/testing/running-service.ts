import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** As a user starts it, and as it runs. */
const COMMANDS = {
  npm: ['npm', 'start', '--silent', '--'],
  node: [process.execPath, `${ROOT}/scripts/start.ts`],
} as const;
const READY_WITHIN_MS = 180_000;

const readySchema = z.strictObject({
  url: z.url(),
  apiKey: z.string(),
  accountId: z.string(),
  operatorKey: z.string(),
  hosts: z.array(z.strictObject({ id: z.string(), pid: z.int() })),
});
export type Ready = z.infer<typeof readySchema>;

/** `npm start -- --json` in a process of its own. */
export type RunningService = {
  readonly ready: Ready;
  readonly pid: number;
  /** Everything on standard output and standard error so far. */
  readonly out: () => string;
  readonly err: () => string;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** How it ended: exit code, null if a signal ended it. */
  readonly ended: Promise<number | null>;
  /** SIGTERM, and wait. */
  readonly stop: () => Promise<number | null>;
};

/** A folder for one service's state. */
export function newStateFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'rcpt-service-'));
}

/**
 * Starts the service on a free port and waits until it says that it is ready.
 * @param how as a user starts it, or a command that starts it otherwise
 * @param env settings of its hosts, such as EGRESS
 * @throws Error with its own words if it ends before
 */
export async function startRunningService(
  state: string,
  args: readonly string[] = [],
  how: keyof typeof COMMANDS | readonly [string, ...string[]] = 'node',
  env: Readonly<Record<string, string>> = {},
): Promise<RunningService> {
  const [command, ...first] = typeof how === 'string' ? COMMANDS[how] : how;
  const child = spawn(command, [...first, '--port', '0', '--state', state, '--json', ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  return whenReady(child);
}

/**
 * The same as the foreground job of a terminal of its own, which standard error goes past. Ctrl-C there goes to every
 * process of the job.
 */
export async function startInTerminal(
  state: string,
  args: readonly string[],
  how: keyof typeof COMMANDS,
): Promise<RunningService & { readonly ctrlC: () => void }> {
  const log = join(state, 'standard-error');
  const words = [...COMMANDS[how], '--port', '0', '--state', state, '--json', ...args];
  const child = spawn(
    'script',
    // In the place of the shell: one that waits, as dash does, would report its own end by the signal, not the service's.
    ['--quiet', '--flush', '--return', '--command', `exec ${words.join(' ')} 2>${log}`, '/dev/null'],
    {
      cwd: ROOT,
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  const service = await whenReady(child);
  return { ...service, err: () => readFileSync(log, 'utf8'), ctrlC: () => child.stdin.write('\x03') };
}

async function whenReady(child: ChildProcessByStdio<Writable | null, Readable, Readable>): Promise<RunningService> {
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  await waitForLine(child, () => out, ended);
  if (!out.includes('\n')) throw new Error(`npm start is not ready: ${err}`);
  return {
    ready: readySchema.parse(JSON.parse(out)),
    pid: child.pid ?? -1,
    out: () => out,
    err: () => err,
    kill: (signal) => child.kill(signal),
    ended,
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

async function waitForLine(child: ChildProcess, out: () => string, ended: Promise<unknown>): Promise<void> {
  const line = new Promise<void>((resolve) => {
    child.stdout?.on('data', () => {
      if (out().includes('\n')) resolve();
    });
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), READY_WITHIN_MS);
  await Promise.race([line, ended]);
  clearTimeout(timer);
}

/** Whether a process is there and no zombie. */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    return !stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
  } catch {
    return false;
  }
}
