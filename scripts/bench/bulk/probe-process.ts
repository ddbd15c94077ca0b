import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';

const PROBE = fileURLToPath(new URL('../../probe.ts', import.meta.url));
const SAMPLE_MS = 200;
const KIB_PER_MIB = 1_024;
/** Of USER_HZ, which is 100 on every Linux of ours. */
const TICK_MS = 10;

export type MemorySample = { readonly done: number; readonly rssMiB: number };
export type ProbeFigures = {
  readonly code: number | null;
  readonly wallMs: number;
  /** User and system time of the probe's process, at the last sample. */
  readonly cpuMs: number;
  readonly samples: readonly MemorySample[];
  /** How many results had each status. */
  readonly statuses: Readonly<Record<string, number>>;
};

const resultSchema = z.object({ email: z.string(), status: z.string() });

/** Ticks results off a list. */
export type Tick = { readonly done: number; readonly take: (email: string) => void };

/** Runs `probe` with a file as its standard input, ticks its results off and watches its memory in /proc. */
export async function runProbeProcess(args: readonly string[], file: string, tally: Tick): Promise<ProbeFigures> {
  const input = openSync(file, 'r');
  const child = spawn(process.execPath, [PROBE, ...args], { stdio: [input, 'pipe', 'inherit'] });
  closeSync(input);
  const startedMs = performance.now();
  const statuses: Record<string, number> = {};
  const samples: MemorySample[] = [];
  let cpuMs = 0;
  const timer = setInterval(() => {
    const { pid } = child;
    if (pid === undefined) return;
    samples.push({ done: tally.done, rssMiB: rssMiBOf(pid) });
    cpuMs = Math.max(cpuMs, cpuMsOf(pid));
  }, SAMPLE_MS);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  if (child.stdout === null) throw new Error('the process has no standard output');
  for await (const line of createInterface({ input: child.stdout })) {
    const { email, status } = resultSchema.parse(JSON.parse(line));
    tally.take(email);
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  const code = await ended;
  clearInterval(timer);
  return { code, wallMs: performance.now() - startedMs, cpuMs, samples, statuses };
}

function rssMiBOf(pid: number): number {
  const status = readProc(pid, 'status');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / KIB_PER_MIB;
}

function cpuMsOf(pid: number): number {
  const stat = readProc(pid, 'stat');
  // The name in parentheses may hold anything; user and system time are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_MS;
}

/** Empty once the process is gone. */
function readProc(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
