import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ENDS_WITHIN_MS = 120_000;

/** What a Node process needs of ours: where programs are, and where it finds its own code compiled. */
export const NODE_ALONE: Readonly<Record<string, string>> = {
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
};

export type Ended = { readonly code: number | null; readonly out: string; readonly err: string };

/** Runs a program in a process of its own, to its end. */
export function runToEnd(
  [program = '', ...args]: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly input?: string },
): Promise<Ended> {
  return new Promise((done, failed) => {
    const { cwd, env, input = '' } = options;
    const child = spawn(program, args, { cwd, env, timeout: ENDS_WITHIN_MS });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    child.on('error', failed);
    child.on('close', (code) => done({ code, out, err }));
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/** Runs one of the project's entry points (`scripts/admin.ts`) to its end. */
export function runNode(
  entry: string,
  args: readonly string[],
  { cwd = ROOT, env = {} }: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Ended> {
  return runToEnd([process.execPath, `${ROOT}/${entry}`, ...args], { cwd, env: { ...NODE_ALONE, ...env } });
}
