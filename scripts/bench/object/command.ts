import { Command, InvalidArgumentError, Option } from 'commander';
import { measureAbuse } from './abuse.ts';
import { type Load, measureMemory, ORDINARY, WORST } from './memory.ts';
import { measureReconnects } from './reconnects.ts';

const PER_BATCH_MAX = { ordinary: 100_000, worst: 400_000 } as const;
const ALL_MAX = 128_000_000;
const HOSTS = 1_000;
const OPEN = 200;
/** What 200 open batches may add to the cost of 1,000 hosts that come back. */
const ADDED_CPU_MAX_MS = 1_000;

type Row = { readonly what: string; readonly measured: string; readonly bound: string; readonly holds: boolean };
const NAMES = ['ordinary', 'worst', 'reconnects', 'abuse'] as const;
type Options = { readonly only?: (typeof NAMES)[number]; readonly batches?: number };

/** `bench object`: what batches, hosts that come back and hosts that mean ill cost one Fleet object. */
export function objectCommand(): Command {
  return new Command('object')
    .description('memory and CPU of a Fleet object: full of batches, its hosts coming back, its hosts hostile')
    .addOption(new Option('--only <name>', 'one part').choices(NAMES))
    .option('--batches <n>', 'open batches, instead of 400 ordinary, 100 of the worst', whole)
    .action(async ({ only, batches }: Options) => {
      const parts: Readonly<Record<(typeof NAMES)[number], () => Promise<readonly Row[]>>> = {
        ordinary: () => memory({ ...ORDINARY, batches: batches ?? ORDINARY.batches }),
        worst: () => memory({ ...WORST, batches: batches ?? WORST.batches }),
        reconnects,
        abuse,
      };
      const rows: Row[] = [];
      for (const name of only === undefined ? NAMES : [only]) rows.push(...(await parts[name]()));
      const lines = rows.map((row) => `| ${row.what} | ${row.measured} | ${row.bound} | ${row.holds ? 'yes' : 'NO'} |`);
      process.stdout.write(['| what | measured | bound | holds |', '|---|---|---|---|', ...lines, ''].join('\n'));
      if (rows.some((row) => !row.holds)) process.exitCode = 1;
      // Hosts of the bench go on dialling in.
      process.exit();
    });
}

async function memory(load: Load): Promise<readonly Row[]> {
  const { perBatch, all, resident } = await measureMemory(load);
  const most = PER_BATCH_MAX[load.name];
  return [
    {
      what: `${load.batches} ${load.name} batches of 500 open, all but one address answered: live bytes each`,
      measured: `${(perBatch / 1_000).toFixed(0)} kB`,
      bound: `${most / 1_000} kB`,
      holds: perBatch <= most,
    },
    {
      what: 'the same: live bytes of the whole isolate (resident: workerd, with what V8 has not collected)',
      measured: `${mega(all)} (${mega(resident)})`,
      bound: mega(ALL_MAX),
      holds: all <= ALL_MAX,
    },
  ];
}

async function reconnects(): Promise<readonly Row[]> {
  const idle = await measureReconnects(HOSTS, 0);
  const busy = await measureReconnects(HOSTS, OPEN);
  const added = busy.cpuMs - idle.cpuMs;
  return [
    {
      what: `${HOSTS} hosts come back: CPU of workerd with no batch open, with ${OPEN}`,
      measured: `${idle.cpuMs} ms, ${busy.cpuMs} ms (${(busy.wallMs / 1_000).toFixed(1)} s)`,
      bound: `${ADDED_CPU_MAX_MS} ms more`,
      holds: added <= ADDED_CPU_MAX_MS,
    },
  ];
}

async function abuse(): Promise<readonly Row[]> {
  return (await measureAbuse()).map(({ what, tried, outcome, cpuMs, heldBytes, holds }) => ({
    what: `a host sends ${what}: ${tried}`,
    measured: `${outcome}; ${cpuMs} ms of CPU, ${(heldBytes / 1_000).toFixed(0)} kB held`,
    bound: 'cut off, under 4 s and 2 MB; 4 half-open links, once per token',
    holds,
  }));
}

function mega(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(0)} MB`;
}

function whole(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError('not a whole number above 0');
  return number;
}
