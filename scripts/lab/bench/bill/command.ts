import { Command } from 'commander';
import { type Cost, measureBill } from './measure.ts';

/** D1's prices in dollars: https://developers.cloudflare.com/d1/platform/pricing/. */
const READ = 0.001 / 1e6;
const WRITTEN = 1 / 1e6;
const MINUTES_OF_A_MONTH = 30 * 24 * 60;

/** `bench bill`: rows of D1, and what they cost. */
export function billCommand(): Command {
  return new Command('bill')
    .description('the rows that D1 charges for: by call, and by minute of the cron')
    .action(async () => {
      const { calls, minute } = await measureBill();
      const lines = [
        '| what | rows read | rows written | dollars |',
        '|---|---|---|---|',
        ...calls.map((cost) => line(cost, 1e6, 'a million calls')),
        line(minute, MINUTES_OF_A_MONTH, 'a month'),
      ];
      process.stdout.write(`${lines.join('\n')}\n`);
    });
}

function line({ what, read, written }: Cost, times: number, of: string): string {
  const dollars = (times * (read * READ + written * WRITTEN)).toFixed(2);
  return `| ${what} | ${rows(read)} | ${rows(written)} | ${dollars} ${of} |`;
}

const rows = (count: number): string => String(Math.round(count * 10) / 10);
