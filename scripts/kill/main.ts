import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { runKills } from './run-kills.ts';

// npm run kill-test -- [--kills 50] [--seed N]: exit code 1 where the books do not add up.

const { values } = parseArgs({ options: { kills: { type: 'string' }, seed: { type: 'string' } } });
const seed = Number(values.seed ?? randomInt(2 ** 31));
process.stdout.write(`seed ${seed}\n`);
const { faults, chargedWithoutAnswer, kills, ...figures } = await runKills(Number(values.kills ?? 50), seed, (line) =>
  process.stdout.write(`${line}\n`),
);
process.stdout.write(`${JSON.stringify({ kills, ...figures, chargedWithoutAnswer: chargedWithoutAnswer.length })}\n`);
for (const fault of [...faults, ...chargedWithoutAnswer.map((id) => `${id}: charged, and no whole answer came`)])
  process.stdout.write(`FAULT ${fault}\n`);
process.exitCode = faults.length + chargedWithoutAnswer.length === 0 ? 0 : 1;
