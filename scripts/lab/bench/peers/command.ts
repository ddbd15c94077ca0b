import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { wholeNumber } from '../../../base/command-line.ts';
import { LOOPBACK } from '../engine/with-peer.ts';
import { ms, printTable, type Row, seconds } from '../table/table.ts';
import { install, RECIPES } from './install.ts';
import { type Figures, measureTask, type Task } from './measure.ts';
import { BARE, peerProgram, RCPT } from './programs.ts';

const TASKS: readonly Task[] = [
  ...[20, 100, 1_000].map((concurrency) => ({ domains: 2_000, concurrency })),
  { domains: 1, concurrency: 1 },
];
const ROUNDS_DEFAULT = 5;
const ROUNDS_MAX = 50;
/** Of the fastest peer's wall time, without and with the start of the process. */
const WALL_RATIO_MAX = 0.85;
const START_RATIO_MAX = 1.3;
/** Of the processor time of this one, without the start of the process; of one address, with it. */
const THRIFTIEST = 'AfterShip';
const CPU_RATIO_MAX = 0.75;
const ONE_CPU_RATIO_MAX = 1.1;

/** What `npm run probe` may take at most, by how much it does at once. */
function memoryMiBMax(concurrency: number): number {
  if (concurrency === 1) return 55;
  return concurrency > 100 ? 130 : 110;
}

/** `bench peers`: other engines from their registries, at the same work in the same place and run. */
export function peersCommand(): Command {
  return new Command('peers')
    .description('rcpt beside other engines, which it builds first; needs root on Linux, and minutes')
    .option('--rounds <n>', 'turns of which medians are taken', wholeNumber(1, ROUNDS_MAX), ROUNDS_DEFAULT)
    .action(async ({ rounds }: { rounds: number }, command: Command) => {
      if (process.platform !== 'linux' || process.getuid?.() !== 0)
        command.error('bench peers: needs root on Linux: it takes port 25 and a resolver in a network namespace', {
          exitCode: 2,
        });
      await comparePeers(rounds);
    });
}

async function comparePeers(rounds: number): Promise<void> {
  const programs = [RCPT, BARE];
  for (const recipe of RECIPES) {
    const program = await install(recipe);
    if (program !== null) programs.push(peerProgram(recipe.name, program));
  }
  const namespace = makeNamespace();
  try {
    for (const task of TASKS) printTable(rowsOf(task, await measureTask(namespace.name, programs, task, rounds)));
  } finally {
    namespace.remove();
  }
}

const didTheWork = ({ right, domains }: Figures): boolean => right === domains;

/** Why rcpt, the first, does not hold beside the peers behind the bare client, the second. */
function problemsOf({ concurrency }: Task, [rcpt, bare, ...peers]: readonly Figures[]): readonly string[] {
  if (rcpt === undefined || bare === undefined) return ['nothing was measured'];
  const problems = [rcpt, bare].filter((one) => !didTheWork(one)).map(({ name }) => `${name} did not do the work`);
  if (peers.length === 0) return problems;
  const able = peers.filter(didTheWork);
  if (able.length === 0) return [...problems, 'no peer did the work'];
  const thrifty = able.find(({ name }) => name.startsWith(THRIFTIEST));
  const check = (what: string, of: number | undefined, bound: number | undefined, ratioMax = 1): void => {
    if (of !== undefined && bound !== undefined && of > ratioMax * bound)
      problems.push(`${what}: ${(of / bound).toFixed(2)} x, bound ${ratioMax}`);
  };
  check('memory', rcpt.started.rssMiB, memoryMiBMax(concurrency));
  if (rcpt.work === null) {
    check(`CPU, ${THRIFTIEST}`, rcpt.started.cpuMs, thrifty?.started.cpuMs, ONE_CPU_RATIO_MAX);
    return problems;
  }
  check('wall', rcpt.work.wallMs, Math.min(...able.map(({ work }) => work?.wallMs ?? Infinity)), WALL_RATIO_MAX);
  check('wall with start', rcpt.started.wallMs, Math.min(...able.map((one) => one.started.wallMs)), START_RATIO_MAX);
  check(`CPU, ${THRIFTIEST}`, rcpt.work.cpuMs, thrifty?.work?.cpuMs, CPU_RATIO_MAX);
  return problems;
}

/** rcpt's row, which has what it misses, and one for each of the others. */
function rowsOf(task: Task, all: readonly Figures[]): readonly Row[] {
  const problems = problemsOf(task, all);
  const time = task.domains === 1 ? ms : seconds;
  return all.map((one, at) => {
    const { name, started, work, right } = one;
    const running = work === null ? '' : `wall ${time(work.wallMs)}, CPU ${time(work.cpuMs)}; `;
    const starting = `with its start ${time(started.wallMs)}, ${time(started.cpuMs)}; ${started.rssMiB.toFixed(0)} MiB`;
    return {
      what: `${task.domains} domains, ${task.concurrency} at once: ${name}`,
      measured: `${running}${starting}; ${right} right`,
      floor: '-',
      bound: at === 0 ? problems.join('; ') : '-',
      holds: at > 0 || problems.length === 0,
    };
  });
}

/**
 * A network namespace that has a loopback interface and one name server, which programs there find in `/etc/resolv.conf`:
 * engines that know no port but 25 and no resolver but the system's can be given both. Linux and root.
 */
function makeNamespace(): { readonly name: string; readonly remove: () => void } {
  const name = `rcpt-peers-${process.pid}`;
  // `ip netns exec` binds what is in here over /etc.
  const folder = `/etc/netns/${name}`;
  execFileSync('ip', ['netns', 'add', name]);
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/resolv.conf`, `nameserver ${LOOPBACK}\n`);
  execFileSync('ip', ['-n', name, 'link', 'set', 'lo', 'up']);
  const remove = (): void => {
    execFileSync('ip', ['netns', 'del', name]);
    rmSync(folder, { recursive: true });
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      remove();
      process.exit(130);
    });
  return { name, remove };
}
