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
const WALL_RATIO_MAX = 1.1;
/** Whose processor time, its start left out, is not to be exceeded. */
const THRIFTIEST = 'AfterShip';

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
  const head =
    'domains | at once | program | wall, CPU with its start | wall, CPU | most memory | right | others | holds';
  process.stdout.write(`| ${head} |\n|${head.replaceAll(/[^|]+/g, '---')}|\n`);
  const namespace = makeNamespace();
  try {
    let failed = false;
    for (const task of TASKS) {
      const all = await measureTask(namespace.name, programs, task, rounds);
      const problems = problemsOf(all);
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
function problemsOf([rcpt, bare, ...peers]: readonly Figures[]): readonly string[] {
  const lazy = [rcpt, bare].filter((one) => one !== undefined && !didTheWork(one));
  const problems = lazy.map((one) => `${one?.name} did not do the work`);
  const work = rcpt?.work ?? null;
  const able = peers.filter(didTheWork);
  if (work === null || peers.length === 0) return problems;
  if (able.length === 0) return [...problems, 'no peer did the work'];
  const fastestMs = Math.min(...able.map((one) => one.work?.wallMs ?? Infinity));
  if (work.wallMs > WALL_RATIO_MAX * fastestMs) problems.push(`wall above ${WALL_RATIO_MAX} x the fastest peer`);
  const thrifty = able.find(({ name }) => name.startsWith(THRIFTIEST));
  if (work.cpuMs > (thrifty?.work?.cpuMs ?? Infinity)) problems.push(`CPU above ${THRIFTIEST}'s`);
  return problems;
}

function line({ domains, concurrency }: Task, one: Figures, holds: string): string {
  const { name, started, work, right, conversed, othersPercent } = one;
  const time = domains === 1 ? ms : seconds;
  const cells = [
    domains,
    concurrency,
    name,
    `${time(started.wallMs)}, ${time(started.cpuMs)}`,
    work === null ? '-' : `${time(work.wallMs)}, ${time(work.cpuMs)}`,
    `${started.rssMiB.toFixed(0)} MiB`,
    `${right}${conversed ? '' : ', and not all were asked about'}`,
    othersPercent === null ? '?' : `${othersPercent.toFixed(0)} %`,
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
