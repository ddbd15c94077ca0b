import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { wholeNumber } from '../../base/command-line.ts';
import type { Report } from './check.ts';
import { takeOlderCode } from './older-code.ts';
import { runUpheaval, type Size } from './run.ts';
import { tableOf } from './table.ts';
import { type UpheavalName, UPHEAVALS } from './upheavals.ts';

// npm run torture: real processes under load, and what can happen to them. Exit code 1 if a caller, a mail server or a
// ledger saw what it must not, if anything grew, or if nothing was done.

type Options = {
  readonly upheavals?: readonly UpheavalName[];
  readonly kills?: number;
  readonly minutes?: number;
  readonly inFlight: number;
  readonly lasts: number;
  readonly rate: number;
  readonly older: string;
  readonly seed: number;
  readonly json: boolean;
};

/** The last commit before the link had a frame of settings: hosts that were not rolled since speak so. */
const OLDER = 'f03e907';
const SEED_MAX = 999_999;
const ENTRIES = 8;
const UNASKED = ['calm', 'frozen', 'cut', 'slow', 'rolled', 'restarted', 'older'] as const;

const options = new Command('torture')
  .description(
    'Does to a running service under load what happens to one, and audits callers, mail servers and ledgers.\n' +
      'Without --upheavals, --kills or --minutes: all upheavals, one after the other, in about fifteen minutes.',
  )
  .addOption(new Option('--upheavals <name...>', 'these alone').choices(UNASKED))
  .option('--kills <count>', 'kill workerd, the host or both this many times', wholeNumber(1, 1_000))
  .option(
    '--minutes <count>',
    'run this long, and say of memory, descriptors and p99 if they grow',
    wholeNumber(1, 600),
  )
  .option('--in-flight <count>', 'batches under way at any time in upheavals', wholeNumber(1, 500), 200)
  .option('--lasts <seconds>', 'how long what is stopped or cut stays so', wholeNumber(1, 600), 60)
  .option('--rate <lists>', 'lists a second in a long run', wholeNumber(1, 100), 10)
  .option('--older <commit>', 'whose host stands beside those of today', OLDER)
  .option('--seed <number>', 'repeats the kills of an earlier run', wholeNumber(0, SEED_MAX), randomInt(SEED_MAX))
  .option('--json', 'one JSON document instead of the table', false)
  .parse()
  .opts<Options>();

/** What was asked for, each with its size. */
function asked({ upheavals, kills, minutes, inFlight, lasts, rate, seed }: Options): ReadonlyMap<UpheavalName, Size> {
  const common = { entries: ENTRIES, kills: kills ?? 0, seed, rate: null };
  const slow = { ...common, inFlight, deadlineMs: 90_000, answersAfterMs: 10_000, lastsMs: lasts * 1_000 };
  // A short deadline, so that what was lost is swept within seconds.
  const quick = { ...common, inFlight: 6, deadlineMs: 8_000, answersAfterMs: 100, lastsMs: 0 };
  const long = { ...quick, inFlight: 4 * rate, deadlineMs: 30_000, rate, lastsMs: (minutes ?? 0) * 60_000 };
  const isAll = upheavals === undefined && kills === undefined && minutes === undefined;
  const names = upheavals ?? (isAll ? UNASKED : []);
  return new Map<UpheavalName, Size>([
    ...names.map((name) => [name, slow] as const),
    ...(kills === undefined ? [] : [['killed', quick] as const]),
    ...(minutes === undefined ? [] : [['long', long] as const]),
  ]);
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const reports: Report[] = [];
/** Not done for want of something, or broken off. */
const undone: { readonly upheaval: UpheavalName; readonly why: string; readonly isFault: boolean }[] = [];
const folder = mkdtempSync(join(tmpdir(), 'rcpt-torture-'));
let keepsFolder = false;
process.once('exit', () => {
  if (!keepsFolder) rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
});
// A watchdog ends what was started and is still there.
// One that arrives twice, as under npm, must not end what `exit` still has to remove.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));

say(`seed ${options.seed}`);
for (const [upheaval, size] of asked(options)) {
  const { what, lacks } = UPHEAVALS[upheaval];
  const lack = lacks?.() ?? null;
  say(`${upheaval}: ${lack === null ? what : `left out, it ${lack}`}`);
  if (lack !== null) {
    undone.push({ upheaval, why: `was left out: it ${lack}`, isFault: false });
    continue;
  }
  try {
    const older = upheaval === 'older' ? await takeOlderCode(options.older, join(folder, 'older-code')) : null;
    reports.push(await runUpheaval({ upheaval, size, folder: join(folder, upheaval), older, say }));
  } catch (error) {
    undone.push({ upheaval, why: error instanceof Error ? error.message : String(error), isFault: true });
  }
}
process.stdout.write(options.json ? `${JSON.stringify({ reports, undone })}\n` : tableOf(reports, undone));
keepsFolder = reports.some(({ faults }) => faults.length > 0) || undone.some(({ isFault }) => isFault);
if (keepsFolder) say(`The logs of the hosts are in ${folder}`);
process.exitCode = keepsFolder || reports.length === 0 ? 1 : 0;
