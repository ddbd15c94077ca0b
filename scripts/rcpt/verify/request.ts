import { existsSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { KEPT } from '../../../schema/list-job/keep.ts';
import { type Format, formatByName, FORMATS } from '../../../schema/lists/reading/format.ts';
import { OUTPUT_FORMATS } from '../../../schema/lists/writing/list-writer.ts';
import { isKnown } from '../../../schema/words/open.ts';
import type { ConnectionOptions } from '../account/connection.ts';
import { wholeNumber } from '../../base/command-line.ts';
import { Failure } from '../failure/failure.ts';
import { WANTED } from './only.ts';

/** What `rcpt verify` was asked for, as the parsers below leave it; `-` is standard input or output. */
export type VerifyRequest = Flags & {
  readonly input: string;
  /** What is asked instead of a list; `input` is `-` then. */
  readonly addresses: readonly string[] | null;
};

type Flags = ConnectionOptions & {
  readonly output: string;
  readonly format?: Format;
  readonly column?: string;
  readonly header: boolean;
  readonly delimiter?: string;
  readonly encoding?: string;
  readonly sheet?: string;
  readonly only?: ReadonlySet<string>;
  /** How many addresses are verified of a list that has more. */
  readonly sample?: number;
  readonly keep?: ReadonlySet<string>;
  readonly minScore: number;
  readonly role: boolean;
  readonly disposable: boolean;
  /** A list whose addresses are neither asked nor written. */
  readonly notIn?: string;
  readonly attempts: number;
  readonly maxCredits?: number;
  readonly dryRun?: true;
  readonly force?: true;
  readonly resume?: true;
  readonly yes?: true;
  readonly quiet?: true;
  readonly json?: true;
};

const ROUNDS_MOST = 20;
const SAMPLE_MOST = 10_000;
const CREDITS_MOST = 1_000_000_000;

export function addVerifyOptions(command: Command): Command {
  return command
    .argument(
      '<list...>',
      'a file: CSV, TSV, JSONL, XLSX, or one address per line; - is standard input; or addresses themselves',
    )
    .option('-o, --output <file>', 'file for the rows with their verdicts; - is standard output', '-')
    .option('-c, --column <name>', 'the column of addresses, by name or by number from 1 (default: found by content)')
    .option(
      '--attempts <times>',
      'ask a deferred address up to this many times, each time after the wait that its server asks for',
      wholeNumber(1, ROUNDS_MOST),
      1,
    )
    .option(
      '--max-credits <credits>',
      'never spend more than this on the list, in all runs with --resume together',
      wholeNumber(0, CREDITS_MOST),
    )
    .option(
      '--only <statuses>',
      `the list is an earlier output: ask only rows with these statuses (${WANTED.join(', ')}) or reasons`,
      readWords(WANTED),
    )
    .option(
      '--sample <addresses>',
      'verify this many at random, and show what all would cost; --resume then verifies the rest',
      wholeNumber(1, SAMPLE_MOST),
    )
    .option('--keep <rows>', `write only these rows (${KEPT.join(', ')})`, readWords(KEPT, false))
    .option('--min-score <score>', 'write only rows with this score, or a higher one', wholeNumber(0, 100), 0)
    .option('--no-role', 'leave out role addresses, such as info@')
    .option('--no-disposable', 'leave out disposable mailboxes')
    .option('--not-in <file>', 'leave out, and never ask, the addresses of another list')
    .option('--dry-run', 'show the price and the balance, and verify nothing')
    .option('--resume', 'continue a run that was stopped, without paying twice')
    .option('--force', 'overwrite the output file')
    .option('-y, --yes', 'start without asking for confirmation (needed where there is no terminal)')
    .option('-q, --quiet', 'print nothing but errors')
    .option('--json', 'print events for programs on standard output, one JSON object per line')
    .addOption(
      new Option('--format <format>', 'format of the list (default: from its name or content)').choices(FORMATS),
    )
    .option('--delimiter <character>', 'between cells (default: found by content)', readDelimiter)
    .option('--encoding <name>', 'encoding of the list (default: found by content)')
    .option('--sheet <name>', 'of a spreadsheet (default: the first with an address)')
    .option('--no-header', 'the first row is data (default: if it contains an address)');
}

export function addConnectionOptions(command: Command): Command {
  return command
    .option('--url <url>', 'address of the service (default: RCPT_URL, else that of rcpt login)')
    .option('--key-file <file>', 'a file with the API key (default: RCPT_API_KEY, else that of rcpt login)')
    .option('--verbose', 'one line on standard error for each request: its status, time and id, no addresses');
}

/** @throws Failure for what makes no sense together */
export function requestOf(inputs: readonly string[], command: Command): VerifyRequest {
  const flags = command.opts<Flags>();
  const addresses = inputs.every(isAddress) ? inputs : null;
  const [input = '-', ...more] = addresses === null ? inputs : [];
  if (more.length > 0) throw usage('One list at a time, or addresses only.');
  const request = { ...flags, input, addresses };
  checkRequest(request);
  return request;
}

/** @throws Failure for what makes no sense together */
function checkRequest({ output, force, resume, json, sample }: VerifyRequest): void {
  if (output === '-') {
    if (force === true) throw usage('--force is for an output file: name it with -o.');
    if (resume === true) throw usage('--resume needs an output file, beside which progress is kept: name it with -o.');
    if (sample !== undefined)
      throw usage('--sample needs an output file, beside which its results are kept: name it with -o.');
    if (json === true) throw usage('--json uses standard output: send the rows to a file with -o.');
    return;
  }
  const [extension = null] = /(?<=[^/\\])\.[^./\\]+$/.exec(output) ?? [];
  const format = formatByName(output);
  if (extension !== null && format !== 'text' && !isKnown<string>(OUTPUT_FORMATS, format ?? ''))
    throw usage(`-o ${output}: no ${extension} can be written, only .${OUTPUT_FORMATS.join(', .')}.`);
}

function usage(message: string): Failure {
  return new Failure('usage', message);
}

/** Whether an argument is an address and no list: a file of that name, or a name that only a list has, is a list. */
function isAddress(argument: string): boolean {
  return /^[^\s/@][^\s/]*@[^\s/]+$/.test(argument) && formatByName(argument) === null && !existsSync(argument);
}

/** @param isOpen whether there may be words of a newer service */
function readWords(known: readonly string[], isOpen = true): (text: string) => ReadonlySet<string> {
  return (text) => {
    const words = text.split(',').map((word) => word.trim());
    if (words.every((word) => (isOpen ? word !== '' : known.includes(word)))) return new Set(words);
    throw new InvalidArgumentError(`Expected one or more of ${known.join(', ')}, with commas between them.`);
  };
}

function readDelimiter(text: string): string {
  const delimiter = text === '\\t' ? '\t' : text;
  if (delimiter.length === 1 && !/["\r\n]/.test(delimiter)) return delimiter;
  throw new InvalidArgumentError('Expected one character, such as ; or \\t.');
}
