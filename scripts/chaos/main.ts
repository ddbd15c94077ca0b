import { Command, Option } from 'commander';
import { wholeNumber } from '../command-line.ts';
import { takeOlderCode } from './older-code.ts';
import { type Report, runUpheaval } from './run.ts';
import { tableOf } from './table.ts';
import { NAMES, type UpheavalName, UPHEAVALS } from './upheavals.ts';

// npm run chaos: real processes under load, and what can happen to them. Exit code 1 if a caller, a mail server or a ledger
// saw what it must not, or if nothing was done.

type Options = {
  readonly only?: readonly UpheavalName[];
  readonly inFlight: number;
  readonly lasts: number;
  readonly older: string;
  readonly json: boolean;
};

/** The last commit before the link had a frame of settings: hosts that were not rolled since speak so. */
const OLDER = 'f03e907';

const { only, inFlight, lasts, older, json } = new Command('chaos')
  .description(
    'Does to a running service under load what happens to one, and audits callers, mail servers and ledgers.',
  )
  .addOption(new Option('--only <name...>', 'these alone').choices(NAMES))
  .option('--in-flight <count>', 'batches under way at any time', wholeNumber(1, 500), 200)
  .option('--lasts <seconds>', 'how long what is stopped or cut stays so', wholeNumber(1, 600), 60)
  .option('--older <commit>', 'whose host stands beside those of today', OLDER)
  .option('--json', 'one JSON document instead of the table', false)
  .parse()
  .opts<Options>();

const size = { inFlight, addresses: 6, deadlineMs: 60_000, answersAfterMs: 4_000, lastsMs: lasts * 1_000 };
const names = only ?? NAMES;
const say = (line: string): void => void process.stderr.write(`${line}\n`);
const reports: Report[] = [];
const left: { readonly upheaval: UpheavalName; readonly why: string }[] = [];
const code = names.includes('older') ? await takeOlderCode(older) : null;
// What was started is ended by its watchdog.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
try {
  for (const name of names) {
    const { what, ...upheaval } = UPHEAVALS[name];
    const why = 'lacks' in upheaval ? upheaval.lacks() : null;
    say(`${name}: ${why === null ? what : `left out, it ${why}`}`);
    if (why === null) reports.push(await runUpheaval(name, size, code?.folder ?? null, say));
    else left.push({ upheaval: name, why });
  }
} finally {
  await code?.remove();
}
process.stdout.write(json ? `${JSON.stringify({ reports, left })}\n` : tableOf(reports, left));
process.exitCode = reports.length > 0 && reports.every(({ faults }) => faults.length === 0) ? 0 : 1;
