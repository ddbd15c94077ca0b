import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startPeer } from '../engine/processes.ts';
import { LOOPBACK, load, peer } from '../engine/with-peer.ts';
import { median } from '../table/table.ts';
import { BARE, type Program, type Run, type Work, workOf } from './programs.ts';

// Each program in turn at the same servers, in processes with and without a past.

const USAGE = fileURLToPath(new URL('usage.py', import.meta.url));
/** What `npm run probe` keeps of compiled code, apart from that of others. */
const CACHE = fileURLToPath(new URL('../../../../.build/peers/compile-cache', import.meta.url));
const PROCESS_MS_MAX = 180_000;
const OUTPUT_BYTES_MAX = 16_777_216;
/** Where other engines look: their ports are fixed. */
const PLACE = { smtpPort: 25, dnsPort: 53 } as const;

export type Task = { readonly domains: number; readonly concurrency: number };

/** What a process took from its start to its end. */
type Usage = { readonly wallMs: number; readonly cpuMs: number; readonly rssMiB: number };

/** What one program did in a turn, or the medians of many turns. */
export type Figures = {
  readonly name: string;
  readonly domains: number;
  readonly started: Usage;
  /** Without its start; null: there was too little to do. */
  readonly work: Pick<Work, 'wallMs' | 'cpuMs'> | null;
  /** The least of all processes. */
  readonly right: number;
};

/** Medians of some rounds of each program, in their order; in each round another one begins. */
export async function measureTask(
  namespace: string,
  programs: readonly Program[],
  task: Task,
  rounds: number,
): Promise<readonly Figures[]> {
  const seen: Figures[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const first = round % programs.length;
    const order = [...programs.slice(first), ...programs.slice(0, first)];
    seen.push(...(await takeTurn(namespace, order, task)));
  }
  return programs.map(({ name }) => mediansOf(seen.filter((one) => one.name === name)));
}

async function takeTurn(namespace: string, programs: readonly Program[], task: Task): Promise<readonly Figures[]> {
  const stop = await startPeer(namespace, peer(LOOPBACK, PLACE));
  try {
    // Its compiler has to see what it needs as well.
    await runProcess(namespace, BARE.command(load(LOOPBACK, { ...PLACE, ...task })));
    const all: Figures[] = [];
    for (const program of programs) all.push(await measure(namespace, program, task));
    return all;
  } finally {
    await stop();
  }
}

async function measure(namespace: string, program: Program, task: Task): Promise<Figures> {
  const run = async ({ command, right }: Run, warmUpDomains: number) => {
    const { lines, usage } = await runProcess(namespace, command(load(LOOPBACK, { ...PLACE, ...task, warmUpDomains })));
    return { usage, right: right(lines), lines };
  };
  const fresh = await run(program.started ?? program, 0);
  const warm = task.domains === 1 ? null : await run(program, program.warmUpDomains);
  return {
    name: program.name,
    domains: task.domains,
    started: fresh.usage,
    work: warm === null ? null : workOf(warm.lines[0] ?? ''),
    right: Math.min(fresh.right, warm?.right ?? Infinity),
  };
}

function mediansOf(all: readonly Figures[]): Figures {
  const [first] = all;
  if (first === undefined) throw new Error('there was no turn');
  const of = (read: (one: Figures) => number): number => median(all.map(read));
  return {
    ...first,
    started: {
      wallMs: of(({ started }) => started.wallMs),
      cpuMs: of(({ started }) => started.cpuMs),
      rssMiB: of(({ started }) => started.rssMiB),
    },
    work: first.work && { wallMs: of(({ work }) => work?.wallMs ?? 0), cpuMs: of(({ work }) => work?.cpuMs ?? 0) },
    right: Math.min(...all.map(({ right }) => right)),
  };
}

/** Runs a command in the namespace. @returns its lines, and what it took */
async function runProcess(namespace: string, command: readonly string[]) {
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
