import { Command } from 'commander';
import { measure, type Measured, type Times } from './measure.ts';
import type { Row } from './rows/row.ts';
import { BLOCK_LIST_WORDS } from './rows/block-list-words.ts';
import { SLOW_SERVERS } from './rows/slow-servers.ts';
import { SLOW_TENANT } from './rows/slow-tenant.ts';

const ROWS: readonly Row[] = [...SLOW_SERVERS, SLOW_TENANT, BLOCK_LIST_WORDS];

/** `bench crowd`: what a crowd of other accounts does to one that asks for one address now and then. */
export function crowdCommand(): Command {
  return new Command('crowd')
    .description('the time of one address, alone and beside crowds of other accounts, on the whole service')
    .option('--only <name>', `one crowd: ${ROWS.map(({ name }) => name).join(', ')}`)
    .action(async ({ only }: { only?: string }) => {
      for (const row of ROWS.filter(({ name }) => only === undefined || name === only)) {
        const measured = await measure(row);
        process.stdout.write(`${lineOf(measured)}\n`);
        // A crowd that held less than it should has shown nothing.
        if (measured.held < row.holds || !isServed(measured)) process.exitCode = 1;
      }
    });
}

function isServed({ row, beside }: Measured): boolean {
  return beside.served === beside.calls && beside.p99 <= row.p99Ms;
}

function lineOf(measured: Measured): string {
  const { row, alone, beside, held } = measured;
  const verdict = held < row.holds ? 'NO CROWD' : isServed(measured) ? 'ok' : 'TOO SLOW';
  return `${row.name} ${row.what}: alone ${timesOf(alone)}; beside ${timesOf(beside)}; the crowd held ${held} of at least ${row.holds}: ${verdict}`;
}

function timesOf({ p50, p99, served, calls }: Times): string {
  return `p50 ${p50} ms, p99 ${p99} ms, ${served} of ${calls} served`;
}
