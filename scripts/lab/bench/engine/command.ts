import { loadavg } from 'node:os';
import { Command, Option } from 'commander';
import { printTable, type Row } from '../table/table.ts';
import { overLink } from './link.ts';
import { cpu, stalls } from './loopback.ts';

const SCENARIOS = { link: overLink, cpu, stalls } as const;
const NAMES = ['link', 'cpu', 'stalls'] as const;

/** `bench engine`: the engine as a host has it, against servers in another process. */
export function engineCommand(): Command {
  return new Command('engine')
    .description('round trips, CPU and memory of the engine, each beside its floor; `link` needs root and Linux')
    .addOption(new Option('--only <name>', 'one scenario').choices(NAMES))
    .action(async ({ only }: { only?: (typeof NAMES)[number] }) => {
      process.stdout.write(`load of this machine before: ${loadavg()[0]?.toFixed(1)}\n`);
      const rows: Row[] = [];
      for (const name of only === undefined ? NAMES : [only]) rows.push(...(await SCENARIOS[name]()));
      printTable(rows);
    });
}
