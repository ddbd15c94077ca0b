import { Option, type Command } from 'commander';
import { type Choose, compareBounces } from '../../../schema/list-job/bounces.ts';
import type { Report } from '../../../schema/list-job/bounce-report.ts';
import { rowsOf } from '../../../schema/list-job/bounce-words.ts';
import type { Source } from '../../../schema/lists/reading/source.ts';
import { csvLine } from '../../../schema/lists/writing/csv.ts';
import { Failure } from '../failure/failure.ts';
import { chooseColumn } from '../table/column.ts';
import { pathSource, streamSource } from '../table/source.ts';
import { unlessStopped, type Environment } from '../environment/environment.ts';
import { linesOf } from './lines.ts';

const FORMATS = ['table', 'csv', 'json'] as const;

type Flags = {
  readonly format: (typeof FORMATS)[number];
  readonly column?: string;
  readonly bouncesColumn?: string;
};

const HELP = `
Both files stay on this machine: nothing is sent, asked or paid. Hard is what the tool calls hard or permanent, or a code
5xx or 5.x.x; soft is soft, transient, blocked, or 4xx or 4.x.x; anything else is unspecified. Shares are of the addresses
in VERIFIED, so leave out what you did not mail; the interval holds the true share with 95 % confidence (Wilson).`;

export function addBouncesCommand(program: Command, environment: Environment): void {
  program
    .command('bounces')
    .description('show what bounced of a verified list, by verdict')
    .argument('<verified>', 'an earlier output: CSV, TSV, JSONL or XLSX with its rcpt_ columns')
    .argument('<bounces>', 'the bounce export of your mailing tool; - is standard input, for one of the two')
    .addOption(new Option('--format <format>', 'how it is printed').choices(FORMATS).default('table'))
    .option(
      '-c, --column <name>',
      'the column of addresses of VERIFIED, by name or by number from 1 (default: rcpt_email)',
    )
    .option('--bounces-column <name>', 'the same of BOUNCES (default: found by content)')
    .addHelpText('after', HELP)
    .action((verified: string, bounces: string, flags: Flags) => bouncesOf([verified, bounces], flags, environment));
}

/** @throws Failure, UnreadableList */
async function bouncesOf(paths: readonly [string, string], flags: Flags, environment: Environment): Promise<void> {
  if (paths.every((path) => path === '-')) throw new Failure('usage', 'Only one of the two can be standard input.');
  const [verified, bounces] = [await sourceOf(paths[0], environment), await sourceOf(paths[1], environment)];
  const choose: Choose = (side, table, sample, found) => {
    const [{ name }, wanted, option] =
      side === 'verified' ? [verified, flags.column, '--column'] : [bounces, flags.bouncesColumn, '--bounces-column'];
    if (wanted === undefined && found !== null) return found;
    try {
      return chooseColumn(table, sample, wanted ?? null, option);
    } catch (error) {
      throw error instanceof Failure ? new Failure(error.ending, `${name}: ${error.message}`) : error;
    }
  };
  const report = await unlessStopped(environment.stop, compareBounces(verified, bounces, choose));
  environment.output.write(textOf(report, [verified.name, bounces.name], flags.format));
}

/** @throws Failure */
function sourceOf(path: string, { input }: Environment): Promise<Source> {
  return path === '-' ? streamSource('standard input', input) : pathSource(path);
}

function textOf(report: Report, paths: readonly [string, string], format: Flags['format']): string {
  switch (format) {
    case 'table':
      return linesOf(report, paths)
        .map((line) => `${line}\n`)
        .join('');
    case 'csv':
      return rowsOf(report)
        .map((cells) => csvLine(cells, ',', '\n'))
        .join('');
    case 'json':
      return `${JSON.stringify({ confidence: 0.95, ...report })}\n`;
  }
}
