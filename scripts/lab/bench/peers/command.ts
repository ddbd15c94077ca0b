import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { wholeNumber } from '../../../base/command-line.ts';
import { LOOPBACK, ms, seconds } from '../engine/rows.ts';
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
      process.exitCode = await comparePeers(rounds);
    });
}

async function comparePeers(rounds: number): Promise<number> {
  const programs = [RCPT, BARE];
  for (const recipe of RECIPES) {
    process.stderr.write(`bench peers: building ${recipe.name}\n`);
    const installed = await install(recipe);
    if (installed.kind === 'installed') programs.push(peerProgram(recipe.name, installed.program));
    else process.stdout.write(`${recipe.name} is not installed: ${installed.why}.\n`);
  }
  const head = 'domains | at once | program | wall, CPU with its start | wall, CPU | most memory | right | holds';
  process.stdout.write(`| ${head} |\n|${head.replaceAll(/[^|]+/g, '---')}|\n`);
  const namespace = makeNamespace();
  try {
    let failed = false;
    for (const task of TASKS) {
      const all = await measureTask(namespace.name, programs, task, rounds);
      const problems = problemsOf(task, all);
      failed ||= problems.length > 0;
      for (const one of all) process.stdout.write(line(task, one, one === all[0] ? problems.join('; ') || 'yes' : ''));
    }
    return failed ? 1 : 0;
  } finally {
    namespace.remove();
  }
}

/** All right, and the server says so too: what a program reports is no evidence that it asked. */
const didTheWork = ({ right, domains, conversed }: Figures): boolean => right === domains && conversed;

/** Why rcpt, the first, does not hold beside the peers behind the bare client, the second. */
function problemsOf({ concurrency }: Task, [rcpt, bare, ...peers]: readonly Figures[]): readonly string[] {
  const lazy = [rcpt, bare].filter((one) => one !== undefined && !didTheWork(one));
  const problems = lazy.map((one) => `${one?.name} did not do the work`);
  if (rcpt === undefined || peers.length === 0) return problems;
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

function line({ domains, concurrency }: Task, one: Figures, holds: string): string {
  const { name, started, work, right, conversed } = one;
  const time = domains === 1 ? ms : seconds;
  const cells = [
    domains,
    concurrency,
    name,
    `${time(started.wallMs)}, ${time(started.cpuMs)}`,
    work === null ? '-' : `${time(work.wallMs)}, ${time(work.cpuMs)}`,
    `${started.rssMiB.toFixed(0)} MiB`,
    `${right}${conversed ? '' : ', and not all were asked about'}`,
    holds,
  ];
  return `| ${cells.join(' | ')} |\n`;
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
