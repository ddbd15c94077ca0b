import { Command } from 'commander';
import { wholeNumber } from '../base/command-line.ts';
import { standIn } from './simulate/hooks.ts';

// npm run simulate: the real Fleet object, links, jobs and hosts on one clock and one seed, and all that can happen to
// them. Exit code 1 at the first run that goes wrong, with what happened in it, in order.

const { seeds, seed } = new Command('simulate')
  .description('Runs fleet and hosts on a simulated clock and network, with faults, and checks every answer.')
  .option('--seeds <count>', 'how many runs', wholeNumber(1, 999_999), 10_000)
  .option('--seed <number>', 'this one alone, with its history', wholeNumber(0, 999_999))
  .parse()
  .opts<{ readonly seeds: number; readonly seed?: number }>();

standIn();
const { runSeed } = await import('./simulate/run-seed.ts');
const { installPlatform } = await import('./simulate/sim-object.ts');
installPlatform();

const runs = seed === undefined ? Array.from({ length: seeds }, (_, n) => n) : [seed];
let batches = 0;
for (const n of runs) {
  const ended = await runSeed(n);
  batches += ended.batches;
  if (seed !== undefined || ended.faults.length > 0) process.stdout.write(`${ended.history.join('\n')}\n`);
  for (const fault of ended.faults) process.stdout.write(`FAULT in seed ${n}: ${fault}\n`);
  if (ended.faults.length > 0) process.exit(1);
}
process.stdout.write(`${runs.length} runs, ${batches} batches: every answer held\n`);
process.exit(0);
