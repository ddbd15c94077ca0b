import { randomInt } from 'node:crypto';
import { Command, InvalidArgumentError } from 'commander';
import { runKills } from './run-kills.ts';

// npm run kill-test: exit code 1 if the books do not add up.

const SEED_MAX = 2 ** 31 - 1;

const { kills, seed } = new Command('kill-test')
  .description('Kills workerd, a host or both at random moments under load, and audits every account afterwards.')
  .option('--kills <count>', 'how often', whole(1, 1_000), 50)
  .option('--seed <number>', 'repeats the moments of an earlier run', whole(0, SEED_MAX), randomInt(SEED_MAX))
  .parse()
  .opts<{ readonly kills: number; readonly seed: number }>();

process.stdout.write(`seed ${seed}\n`);
const { faults, chargedWithoutAnswer, ...figures } = await runKills(kills, seed, (line) =>
  process.stdout.write(`${line}\n`),
);
process.stdout.write(`${JSON.stringify({ ...figures, chargedWithoutAnswer: chargedWithoutAnswer.length })}\n`);
for (const fault of [...faults, ...chargedWithoutAnswer.map((id) => `${id}: charged, and no whole answer came`)])
  process.stdout.write(`FAULT ${fault}\n`);
process.exitCode = faults.length + chargedWithoutAnswer.length === 0 ? 0 : 1;

function whole(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new InvalidArgumentError(`expected a whole number, ${min} to ${max}.`);
  };
}
