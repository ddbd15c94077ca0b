import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { wholeNumber } from '../../base/command-line.ts';
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

const size = { inFlight, addresses: 6, deadlineMs: 90_000, answersAfterMs: 10_000, lastsMs: lasts * 1_000 };
const say = (line: string): void => void process.stderr.write(`${line}\n`);
const reports: Report[] = [];
/** Not done for want of something, or broken off. */
const undone: { readonly upheaval: UpheavalName; readonly why: string; readonly isFault: boolean }[] = [];
const folder = mkdtempSync(join(tmpdir(), 'rcpt-chaos-'));
let keepsFolder = false;
process.once('exit', () => {
  if (!keepsFolder) rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
});
// A watchdog ends whatever was started and is still there.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

for (const name of only ?? NAMES) {
  const { what, ...upheaval } = UPHEAVALS[name];
  const lack = 'lacks' in upheaval ? upheaval.lacks() : null;
  say(`${name}: ${lack === null ? what : `left out, it ${lack}`}`);
  if (lack !== null) undone.push({ upheaval: name, why: `was left out: it ${lack}`, isFault: false });
  else {
    try {
      const code = name === 'older' ? await takeOlderCode(older, join(folder, 'older-code')) : null;
      reports.push(await runUpheaval(name, size, join(folder, name), code, say));
    } catch (error) {
      undone.push({ upheaval: name, why: error instanceof Error ? error.message : String(error), isFault: true });
    }
  }
}
process.stdout.write(json ? `${JSON.stringify({ reports, undone })}\n` : tableOf(reports, undone));
keepsFolder = reports.some(({ faults }) => faults.length > 0) || undone.some(({ isFault }) => isFault);
if (keepsFolder) say(`The logs of the hosts are in ${folder}`);
process.exitCode = keepsFolder || reports.length === 0 ? 1 : 0;
