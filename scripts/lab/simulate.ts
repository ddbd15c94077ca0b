import { Command, Option } from 'commander';
import { wholeNumber } from '../base/command-line.ts';
import { BUGS } from './simulate/bugs.ts';
import { standIn } from './simulate/hooks.ts';

// npm run simulate: the real Fleet object, links, jobs and hosts on one clock and one seed, and all that can happen to
// them. Exit code 1 at the first run that goes wrong, with what happened in it, in order.

const { seeds, seed, bug, liars, warm } = new Command('simulate')
  .description('Runs fleet and hosts on a simulated clock and network, with faults, and checks every answer.')
  .option('--seeds <count>', 'how many runs', wholeNumber(1, 999_999), 10_000)
  .option('--seed <number>', 'this one alone, with its history', wholeNumber(0, 999_999))
  .option(
    '--liars',
    'one host of three, or two, lie from some moment on: what was wrong and charged, and when they are out',
  )
  .option('--warm', 'nothing goes wrong: how often a call finds a session of the one before, with 1, 3 and 20 hosts')
  .addOption(new Option('--bug <name>', 'with a bug put in on purpose').choices(Object.keys(BUGS)))
  .parse()
  .opts<{
    readonly seeds: number;
    readonly seed?: number;
    readonly bug?: string;
    readonly liars?: true;
    readonly warm?: true;
  }>();

const putIn = bug === undefined ? null : (BUGS[bug] ?? null);
const isPutIn = standIn(putIn);
const { runSeed } = await import('./simulate/run-seed.ts');
const { installPlatform } = await import('./simulate/sim-object.ts');
installPlatform();

if (liars === true) {
  const { runLiars } = await import('./simulate/run-liars.ts');
  process.exit(await runLiars(seed === undefined ? Array.from({ length: seeds }, (_, n) => n) : [seed]));
}

if (warm === true) {
  const { runWarms } = await import('./simulate/run-warm.ts');
  await runWarms();
  process.exit(0);
}

// With a bug its own run comes first, and all others after it.
const runs = seed === undefined ? Array.from({ length: seeds }, (_, n) => (n + (putIn?.seed ?? 0)) % seeds) : [seed];
let [batches, troubles, sleeps] = [0, 0, 0];
for (const n of runs) {
  const ended = await runSeed(n);
  if (bug !== undefined && !isPutIn())
    throw new Error(`The file of the bug ${bug} was loaded before it could be put in`);
  batches += ended.batches;
  troubles += ended.troubles;
  sleeps += ended.sleeps;
  if (seed !== undefined || ended.faults.length > 0) process.stdout.write(`${ended.history.join('\n')}\n`);
  for (const fault of ended.faults) process.stdout.write(`FAULT in seed ${n}: ${fault}\n`);
  if (ended.faults.length > 0) process.exit(1);
}
process.stdout.write(
  `${runs.length} runs, ${batches} batches, ${troubles} faults of hosts and links, ${sleeps} hibernations: every answer held\n`,
);
process.exit(0);
