import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const USAGE = fileURLToPath(new URL('usage.py', import.meta.url));
/** What `npm run probe` keeps of compiled code, apart from that of others. */
const CACHE = fileURLToPath(new URL('../../../../.build/peers/compile-cache', import.meta.url));
const PROCESS_MS_MAX = 180_000;
const OUTPUT_BYTES_MAX = 16_777_216;

/** What a process took from its start to its end. */
export type Usage = { readonly wallMs: number; readonly cpuMs: number; readonly rssMiB: number };

/** Runs a command in a network namespace. @returns its lines, and what it took */
export async function runProcess(
  namespace: string,
  command: readonly string[],
): Promise<{ readonly lines: readonly string[]; readonly usage: Usage }> {
  const args = ['netns', 'exec', namespace, '/usr/bin/python3', USAGE, ...command];
  const { stdout, stderr } = await promisify(execFile)('ip', args, {
    env: { ...process.env, NODE_COMPILE_CACHE: CACHE },
    timeout: PROCESS_MS_MAX,
    maxBuffer: OUTPUT_BYTES_MAX,
  });
  const lines = stdout.trimEnd().split('\n');
  const usage: Usage & { readonly exitCode: number } = JSON.parse(lines.at(-1) ?? '');
  if (usage.exitCode !== 0 || lines.length < 2)
    throw new Error(`${command.join(' ')} ended with ${usage.exitCode}: ${stderr}`);
  return { lines: lines.slice(0, -1), usage };
}
