import { existsSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { formatByName, FORMATS, type Format } from '../../../schema/lists/reading/format.ts';
import { type Column, RESULT_COLUMNS } from '../../../schema/lists/columns/result-columns.ts';
import { OUTPUT_FORMATS, type OutputFormat } from '../../../schema/lists/writing/list-writer.ts';
import { Failure } from '../failure/failure.ts';
import { checkRequest, type VerifyRequest, WANTED } from './request.ts';

/** What commander reads for `rcpt verify`, as the parsers below leave it. */
type Flags = {
  readonly output: string;
  readonly format?: Format;
  readonly outputFormat?: OutputFormat;
  readonly column?: string;
  readonly columns?: readonly Column[];
  readonly header?: boolean;
  readonly delimiter?: string;
  readonly encoding?: string;
  readonly sheet?: string;
  readonly only?: ReadonlySet<string>;
  readonly retry: number;
  readonly maxCredits?: number;
  readonly dryRun?: true;
  readonly force?: true;
  readonly resume?: true;
  readonly yes?: true;
  readonly quiet?: true;
  readonly json?: true;
  readonly escapeFormulas?: true;
  readonly journal?: string;
  readonly url?: string;
  readonly keyFile?: string;
};

/** Of addresses that stand on the command line: their answers are read by people. */
const FEW_COLUMNS: readonly Column[] = ['status', 'score', 'reason', 'meaning'];
const ROUNDS_MOST = 20;
const CREDITS_MOST = 1_000_000_000;

export function addVerifyOptions(command: Command): Command {
  return command
    .argument(
      '<list...>',
      'a file: CSV, TSV, JSONL, XLSX, or one address per line; - is standard input; or addresses themselves',
    )
    .option('-o, --output <file>', 'file for the rows with their verdicts; - is standard output', '-')
    .option('-c, --column <name>', 'the column of addresses, by name or by number from 1 (default: found by content)')
    .option('--columns <names>', 'of the result columns, only these, such as status,reason (default: all)', readColumns)
    .option(
      '--retry <times>',
      'ask a deferred address up to this many times, each time after the wait that its server asks for',
      whole(1, ROUNDS_MOST),
      1,
    )
    .option(
      '--max-credits <credits>',
      'never spend more than this on the list, in all runs with --resume together',
      whole(0, CREDITS_MOST),
    )
    .option(
      '--only <statuses>',
      `the list is an earlier output: ask only rows with these statuses (${WANTED.join(', ')})`,
      readWanted,
    )
    .option('--dry-run', 'show the price and the balance, and verify nothing')
    .option('--resume', 'continue a run that was stopped, without paying twice')
    .option('--force', 'overwrite the output file')
    .option('-y, --yes', 'start without asking for confirmation')
    .option('-q, --quiet', 'print nothing but errors')
    .option('--json', 'print events for programs on standard output, one JSON object per line')
    .addOption(
      new Option('--format <format>', 'format of the list (default: from its name or content)').choices(FORMATS),
    )
    .addOption(
      new Option(
        '--output-format <format>',
        'format of the output (default: from its name, else that of the list)',
      ).choices(OUTPUT_FORMATS),
    )
    .option('--delimiter <character>', 'between cells (default: found by content)', readDelimiter)
    .option(
      '--encoding <name>',
      'encoding of the list, such as windows-1252 (default: UTF-8, or UTF-16 if it looks like it)',
    )
    .option('--sheet <name>', 'of a spreadsheet (default: its first)')
    .option('--header', 'the first row names the columns (default: unless it contains an address)')
    .option('--no-header', 'the first row is data')
    .option(
      '--escape-formulas',
      'put an apostrophe in front of your own cells that a spreadsheet would run as formulas',
    )
    .option('--journal <file>', 'file to keep progress in if the rows go to standard output');
}

export function addConnectionOptions(command: Command): Command {
  return command
    .option('--url <url>', 'address of the service (default: RCPT_URL, else that of rcpt login)')
    .option('--key-file <file>', 'a file with the API key (default: RCPT_API_KEY, else that of rcpt login)');
}

/** @throws Failure for what makes no sense together */
export function requestOf(inputs: readonly string[], command: Command): VerifyRequest {
  const flags = command.opts<Flags>();
  const addresses = inputs.every(isAddress) ? inputs : null;
  const [input = '-', ...more] = addresses === null ? inputs : [];
  if (more.length > 0) throw new Failure('usage', 'One list at a time, or addresses only.');
  const request: VerifyRequest = {
    input,
    addresses,
    output: flags.output,
    outputFormat: flags.outputFormat ?? null,
    reading: {
      format: flags.format ?? null,
      encoding: flags.encoding ?? null,
      delimiter: flags.delimiter ?? null,
      hasHeader: flags.header ?? null,
      sheet: flags.sheet ?? null,
    },
    column: flags.column ?? null,
    columns: flags.columns ?? (addresses === null ? RESULT_COLUMNS : FEW_COLUMNS),
    only: flags.only ?? null,
    rounds: flags.retry,
    maxCredits: flags.maxCredits ?? null,
    isDryRun: flags.dryRun ?? false,
    isForced: flags.force ?? false,
    isResumed: flags.resume ?? false,
    isAgreed: flags.yes ?? false,
    isQuiet: flags.quiet ?? false,
    isJson: flags.json ?? false,
    escapesTheirs: flags.escapeFormulas ?? false,
    journal: flags.journal ?? null,
    connection: { url: flags.url ?? null, keyFile: flags.keyFile ?? null },
  };
  checkRequest(request);
  return request;
}

/** Whether an argument is an address and no list: a file of that name, or a name that only a list has, is a list. */
function isAddress(argument: string): boolean {
  return /^[^\s/]+@[^\s/]+$/.test(argument) && formatByName(argument) === null && !existsSync(argument);
}

/** @returns reads a whole number for commander */
export function whole(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,10}$/.test(text) ? Number(text) : -1;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  };
}

function readWanted(text: string): ReadonlySet<string> {
  const words = text.split(',').map((word) => word.trim());
  if (!words.includes('')) return new Set(words);
  throw new InvalidArgumentError(`Expected one or more of ${WANTED.join(', ')}, with commas between them.`);
}

/** In the order of the output, with or without the `rcpt_` that stands in front there. */
function readColumns(text: string): readonly Column[] {
  const words = text.split(',').map((word) => word.trim().replace(/^rcpt_/, ''));
  const chosen = RESULT_COLUMNS.filter((column) => words.includes(column));
  if (words.some((word) => !chosen.some((column) => column === word)))
    throw new InvalidArgumentError(`Expected one or more of ${RESULT_COLUMNS.join(', ')}, with commas between them.`);
  return chosen;
}

function readDelimiter(text: string): string {
  const delimiter = text === '\\t' ? '\t' : text;
  if (delimiter.length === 1 && !/["\r\n]/.test(delimiter)) return delimiter;
  throw new InvalidArgumentError('Expected one character, such as ; or \\t.');
}
