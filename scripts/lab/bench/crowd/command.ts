import { Command } from 'commander';
import { measure, type Measured, type Times } from './measure.ts';
import { BLOCK_LIST_WORDS } from './rows/block-list-words.ts';
import { EMPTY_ACCOUNTS } from './rows/empty-accounts.ts';
import { FULL_FLEET } from './rows/full-fleet.ts';
import { LONG_STATEMENT } from './rows/long-statement.ts';
import { RECEIVER_LIMIT } from './rows/receiver-limit.ts';
import type { Row } from './rows/row.ts';
import { SLOW_SERVERS } from './rows/slow-servers.ts';
import { SLOW_TENANT } from './rows/slow-tenant.ts';
import { UNKNOWN_RECIPIENTS } from './rows/unknown-recipients.ts';

const ROWS: readonly Row[] = [
  ...SLOW_SERVERS,
  SLOW_TENANT,
  ...FULL_FLEET,
  UNKNOWN_RECIPIENTS,
  BLOCK_LIST_WORDS,
  ...RECEIVER_LIMIT,
  EMPTY_ACCOUNTS,
  LONG_STATEMENT,
];

/** `bench crowd`: what a crowd of other accounts does to one that asks for one address now and then. */
export function crowdCommand(): Command {
  return new Command('crowd')
    .description('the time of one address, alone and beside crowds of other accounts, on the whole service')
    .option('--only <name>', `one crowd: ${ROWS.map(({ name }) => name).join(', ')}`)
    .option('--service <folder>', 'the service of another checkout, before this one in turns', collect, [])
    .action(async ({ only, service }: { only?: string; service: readonly string[] }) => {
      for (const row of ROWS.filter(({ name }) => only === undefined || name === only)) {
        for (const folder of service) process.stdout.write(`${folder}: ${lineOf(await measure(row, folder))}\n`);
        const measured = await measure(row);
        process.stdout.write(`${lineOf(measured)}\n`);
        // A crowd that held less than it should has shown nothing.
        if (measured.held < row.holds || !isServed(measured)) process.exitCode = 1;
      }
    });
}

function collect(folder: string, before: readonly string[]): readonly string[] {
  return [...before, folder];
}

/** Where a row has B wait, unprobed and free is met too: `Times.unprobed` counts nothing elsewhere. */
function isServed({ row, beside }: Measured): boolean {
  const { calls, served, unprobed, paidForNothing, p99 } = beside;
  return served + unprobed === calls && paidForNothing === 0 && p99 <= row.p99Ms;
}

function lineOf(measured: Measured): string {
  const { row, alone, floor, beside, held } = measured;
  const verdict = held < row.holds ? 'NO CROWD' : isServed(measured) ? 'ok' : 'NOT SERVED';
  const crowd = `the crowd held ${held} of at least ${row.holds} ${row.unit}`;
  const idle =
    floor === null ? '' : `; beside ${floor.held} calls to a Worker that does nothing ${timesOf(floor.times)}`;
  return `${row.name} ${row.what}: alone ${timesOf(alone)}${idle}; beside ${timesOf(beside)}; ${crowd}: ${verdict}`;
}

function timesOf({ p50, p99, served, unprobed, calls, paidForNothing }: Times): string {
  const rest = unprobed === 0 ? '' : `, ${unprobed} unprobed`;
  return `p50 ${p50} ms, p99 ${p99} ms, ${served} of ${calls} served${rest}, ${paidForNothing} charged for nothing`;
}
