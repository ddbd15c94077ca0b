import { Command, Option } from 'commander';
import { cpu, crowds, stalls } from './loopback.ts';
import { realExim, realPostfix } from './real-servers.ts';
import type { LeftOut, Row } from './rows.ts';
import { oneDomain, roundTrips, sharedHost } from './slow-link.ts';
import { start } from './start.ts';
import { warm } from './warm.ts';

const SCENARIOS = {
  'round-trips': roundTrips,
  'one-domain': oneDomain,
  'shared-host': sharedHost,
  'real-exim': realExim,
  'real-postfix': realPostfix,
  warm,
  cpu,
  crowds,
  stalls,
  start,
} as const;
const NAMES = [
  'round-trips',
  'one-domain',
  'shared-host',
  'real-exim',
  'real-postfix',
  'warm',
  'cpu',
  'crowds',
  'stalls',
  'start',
] as const;

/** `bench engine`: the engine alone against servers in another process. */
export function engineCommand(): Command {
  return new Command('engine')
    .description('round trips, CPU and memory of the engine, each beside its floor; round trips need root and Linux')
    .addOption(new Option('--only <name>', 'one scenario').choices(NAMES))
    .addHelpText(
      'after',
      '\nA row holds if what it names happened, within its bound. "others" is the share of the machine\'s processor time that\nother programs had meanwhile: above 10 % a measurement is repeated, up to three times, and the least disturbed counts.',
    )
    .action(async ({ only }: { only?: (typeof NAMES)[number] }) => {
      const rows: Row[] = [];
      const missing: LeftOut[] = [];
      for (const name of only === undefined ? NAMES : [only]) {
        const taken = await SCENARIOS[name]();
        if ('leftOut' in taken) missing.push(taken);
        else rows.push(...taken);
      }
      process.stdout.write(table(rows));
      for (const { leftOut, why } of missing) process.stdout.write(`LEFT OUT ${leftOut}: ${why}\n`);
      if (missing.length > 0 || rows.some((row) => !row.holds)) process.exitCode = 1;
    });
}

function table(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ what, measured, floor, bound, holds, othersPercent }) =>
      `| ${what} | ${measured} | ${floor} | ${bound} | ${holds ? 'yes' : 'NO'} | ${othersPercent === null ? '?' : `${othersPercent.toFixed(0)} %`} |`,
  );
  return ['| what | measured | floor | bound | holds | others |', '|---|---|---|---|---|---|', ...lines, ''].join('\n');
}
