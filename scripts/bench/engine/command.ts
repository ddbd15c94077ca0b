import { Command, Option } from 'commander';
import { cpu, oneDomain, roundTrips, stalls, type Row } from './scenarios.ts';

const SCENARIOS = { 'round-trips': roundTrips, 'one-domain': oneDomain, cpu, stalls } as const;
const NAMES = ['round-trips', 'one-domain', 'cpu', 'stalls'] as const;

/** `bench engine`: the engine alone against servers in another process. */
export function engineCommand(): Command {
  return new Command('engine')
    .description('round trips, CPU and memory of the engine, each beside its floor; round trips need root and Linux')
    .addOption(new Option('--only <name>', 'one scenario').choices(NAMES))
    .addHelpText(
      'after',
      '\nPace of the bench: every domain is a provider of its own, so that the default pace (20 sessions at once and\n600 a minute for a provider) holds back nothing but the one-domain cases, which stay under it.',
    )
    .action(async ({ only }: { only?: (typeof NAMES)[number] }) => {
      const rows: Row[] = [];
      for (const name of only === undefined ? NAMES : [only]) rows.push(...(await SCENARIOS[name]()));
      process.stdout.write(table(rows));
      if (rows.some((row) => !row.holds)) process.exitCode = 1;
    });
}

function table(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ what, measured, floor, bound, holds }) =>
      `| ${what} | ${measured} | ${floor} | ${bound} | ${holds ? 'yes' : 'NO'} |`,
  );
  return ['| what | measured | floor | bound | holds |', '|---|---|---|---|---|', ...lines, ''].join('\n');
}
