import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Argument, Command } from 'commander';
import { wholeNumber } from '../../base/command-line.ts';
import { play, type Size } from './run.ts';
import { SCENES } from './scenes.ts';

// npm run load: the whole service as real processes, what happens to them under load, and crowds beside one account. Exit
// code 1 if a caller, a mail server or a ledger saw what it must not, or if nothing happened.

const SEED_MAX = 999_999;
const command = new Command('load')
  .description('Plays scenes on a running service, each on one of its own: about a minute each.')
  .addArgument(new Argument('[scenes...]', 'all, if none is named').choices(Object.keys(SCENES)))
  .option('--kills <count>', 'how often `killed` kills', wholeNumber(1, 1_000), 20)
  .option('--seed <number>', 'repeats the kills of an earlier run', wholeNumber(0, SEED_MAX), randomInt(SEED_MAX))
  .parse();
const size: Size = command.opts();
const { seed } = size;
const folder = mkdtempSync(join(tmpdir(), 'rcpt-load-'));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));
process.stderr.write(`seed ${seed}\n`);
let isFaulty = false;
for (const [name, scene] of Object.entries(SCENES)) {
  if (command.args.length > 0 && !command.args.includes(name)) continue;
  process.stdout.write(`${name}: ${scene.what}\n`);
  const { line, faults } = await play(scene, size, join(folder, name)).catch((error: unknown) => ({
    line: 'broken off',
    faults: [String(error)],
  }));
  process.stdout.write(`  ${line}\n${faults.map((fault) => `  FAULT ${fault}\n`).join('')}`);
  isFaulty ||= faults.length > 0;
}
rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
process.exitCode = isFaulty ? 1 : 0;
