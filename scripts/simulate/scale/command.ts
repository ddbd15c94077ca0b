import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { wholeNumber } from '../../command-line.ts';
import { chartOf } from './chart.ts';
import { ASKED } from './demand.ts';
import { runPlan, type Scaled } from './fleet-model.ts';
import { keepRun } from './kept-runs.ts';

const CHART = fileURLToPath(new URL('../../bench/scale.svg', import.meta.url));
/** The rate of the page and its chart. */
const RATE = 10_000;
const HOSTS = [1, 10, 50, 100, 120, 200] as const;
const HEAD = [
  '| hosts | addresses | asked in time | of Google, Microsoft, Yahoo, others | wait p50, p99 | a batch, p50 | busiest host by the mean |',
  '|---|---|---|---|---|---|---|',
];
const host = wholeNumber(1, 1_000);

type Options = { readonly rate: number; readonly hosts: readonly number[]; readonly egress: number };

/** `simulate scale`: how many hosts and addresses it takes to ask so many addresses a second. */
export function scaleCommand(): Command {
  return new Command('simulate scale')
    .description(
      'Runs the real pace and roster of 1 to 200 hosts on a simulated clock, and says what they ask in time.',
    )
    .option('--rate <count>', `addresses a second; only runs with ${RATE} are kept`, wholeNumber(100, 100_000), RATE)
    .option(
      '--hosts <count...>',
      'how many, each in a run of its own',
      (text, before: readonly number[]) => [...(before === HOSTS ? [] : before), host(text)],
      HOSTS,
    )
    .option('--egress <count>', 'addresses of each of them', wholeNumber(1, 64), 4)
    .action(async ({ rate, hosts, egress }: Options) => {
      process.stdout.write(`${HEAD.join('\n')}\n`);
      for (const count of hosts) {
        const run = await runPlan({ hosts: count, egress, addressesPerS: rate });
        process.stdout.write(`${rowOf(run)}\n`);
        if (rate === RATE) await writeFile(CHART, chartOf(await keepRun(run)));
      }
    });
}

function rowOf(run: Scaled): string {
  const cells = [
    String(run.hosts),
    `${run.hosts * run.egress} (${run.egress} each)`,
    percent(run.asked),
    ASKED.map((provider) => percent(run.askedOf[provider])).join(', '),
    `${run.waitP50S.toFixed(1)} s, ${run.waitP99S.toFixed(1)} s`,
    `${run.batchP50S.toFixed(1)} s`,
    run.unevenness.toFixed(2),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Rounded down: what is not all is not 100 %. */
function percent(share: number): string {
  return `${(Math.floor(share * 1_000) / 10).toFixed(1)} %`;
}
