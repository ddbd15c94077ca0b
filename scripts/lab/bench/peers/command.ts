import { Command } from 'commander';
import { wholeNumber } from '../../../base/command-line.ts';
import { LOOPBACK } from '../engine/rows.ts';
import { measureCrowd, type Crowd } from './crowd.ts';
import { install, RECIPES } from './install.ts';
import { problemsOf } from './judge.ts';
import { withNamespace } from './namespace.ts';
import { BARE, peerProgram, RCPT, type Program } from './programs.ts';
import { crowdTable, startTable, type Absent } from './report.ts';
import { measureStarts, startsAreRight } from './starts.ts';

const CROWDS = [20, 100, 1_000] as const;
const ROUNDS_DEFAULT = 5;
const ROUNDS_MAX = 50;

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
  const peers: Program[] = [];
  const absent: Absent[] = [];
  for (const recipe of RECIPES) {
    say(`building ${recipe.name}`);
    const installed = await install(recipe);
    if (installed.kind === 'installed') peers.push(peerProgram(recipe.name, installed.program));
    else absent.push({ name: recipe.name, why: installed.why });
  }
  const programs = [RCPT, BARE, ...peers];
  const names = peers.map(({ name }) => name);
  const { crowds, starts } = await withNamespace(LOOPBACK, async (namespace) => {
    const measured: Crowd[] = [];
    for (const concurrency of CROWDS) {
      say(`${concurrency} at once`);
      measured.push(await measureCrowd(namespace, programs, concurrency, rounds));
    }
    say('one address a process');
    return { crowds: measured, starts: await measureStarts(namespace, programs) };
  });
  process.stdout.write(`${crowdTable(crowds, names, absent)}\n${startTable(starts)}`);
  const failed = crowds.some((crowd) => problemsOf(crowd, names).length > 0) || !startsAreRight(starts);
  return failed ? 1 : 0;
}

function say(what: string): void {
  process.stderr.write(`bench peers: ${what}\n`);
}
