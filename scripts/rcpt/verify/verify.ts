import { Readable } from 'node:stream';
import type { Source } from '../../../schema/lists/reading/source.ts';
import { clientOf, connect, connection } from '../account/connection.ts';
import { isAgreed } from '../account/ask.ts';
import { explain } from '../failure/explain.ts';
import { Failure, Interrupted } from '../failure/failure.ts';
import { appendedTo, type Column, replacedIn, RESULT_COLUMNS } from '../../../schema/lists/columns/result-columns.ts';
import { type Keep, unwantedIn } from '../../../schema/list-job/keep.ts';
import { type Format, formatByName } from '../../../schema/lists/reading/format.ts';
import { type OutputFormat, rowCheck } from '../../../schema/lists/writing/list-writer.ts';
import type { RowForm } from '../../../schema/lists/writing/row-writer.ts';
import type { Table } from '../../../schema/lists/reading/table.ts';
import { FOUND, openTable, type Reading } from '../table/open-table.ts';
import { pathSource, streamSource } from '../table/source.ts';
import { unlessStopped, type Environment } from '../environment/environment.ts';
import type { Figures, Plan } from './figures.ts';
import { hintAtLast, keepFinished } from './finished.ts';
import { type List, readList } from './list.ts';
import { fileOutput, type Output, streamOutput } from './output.ts';
import { checkNotDone, exists, openJournal, type OpenJournal, type Place, placeOf } from './places.ts';
import { checkCredits, planOf } from './plan.ts';
import { jsonReport, type Report, wordReport } from './report.ts';
import type { VerifyRequest } from './request.ts';
import { type Job, runJob } from './run.ts';
import { shellWord } from '../../base/shell-word.ts';
import { count, duration, harmlessLine, several } from '../words/words.ts';

/** Of addresses that stand on the command line: their answers are read by people. */
const FEW_COLUMNS: readonly Column[] = ['status', 'score', 'reason', 'meaning'];

/**
 * `rcpt verify`: reads the list, tells the price, asks, and writes.
 * @returns the exit code; why it is not 0 is reported
 */
export async function verify(request: VerifyRequest, environment: Environment): Promise<number> {
  const sharesTerminal = request.output === '-' && environment.output.isTTY === true;
  const report =
    request.json === true
      ? jsonReport(environment.output)
      : wordReport(environment.messages, request.quiet === true, sharesTerminal);
  let ending: Ending = { failure: null, written: null, journal: null };
  try {
    ending = await verifyWith(request, environment, report);
  } catch (error) {
    ending = { ...ending, failure: error instanceof Interrupted ? error : explain(error) };
  }
  report.pause();
  const { failure, written, journal } = ending;
  const exitCode = failure?.exitCode ?? 0;
  if (failure !== null) environment.messages.write(`rcpt: ${harmlessLine(failure.message)}\n`);
  report.end({
    exitCode,
    message: failure?.message ?? null,
    output: written !== null && request.output !== '-' ? request.output : null,
    journal,
  });
  return exitCode;
}

type Ending = {
  readonly failure: Failure | Interrupted | null;
  /** How many rows; null: there is no output. */
  readonly written: number | null;
  /** Where to go on from; null if nothing is left to do. */
  readonly journal: string | null;
};

async function verifyWith(request: VerifyRequest, environment: Environment, report: Report): Promise<Ending> {
  const place = await placeOf(request);
  const notIn = await unwantedOf(request, report);
  const source = report.watch(await unlessStopped(environment.stop, sourceOf(request, environment)));
  const table = await openTable(source, readingOf(request), report.inform);
  const check = await rowCheck(formatOf(request.output, table.format));
  const { column: wanted = null, only = null, attempts: rounds, maxCredits = null, sample = null } = request;
  const list = await readList(table, { column: wanted, only, notIn, check }, environment.stop);
  report.pause();
  for (const note of list.notes) report.inform(`${source.name}: ${note}`);
  const form = formOf(request, table, report);
  const found = await (request.dryRun === true ? connection : connect)(request, environment);
  const hint = found === null ? null : await hintAtLast(environment.env, found.url, list.fingerprint);
  if (hint !== null) report.inform(hint);
  const journal = await journalFor(request, place, list);
  const before = journal?.takenFrom() ?? null;
  if (before !== null)
    report.inform(`The journal was left by ${before}, which has not been heard of since: taken over.`);
  let isDone = false;
  try {
    const column = table.names[list.column] ?? '';
    const subject = { input: source.name, column, list, rounds, maxCredits, sample };
    const account = found === null ? null : clientOf(found, environment, 'quick');
    const { plan, numbers } = await planOf(subject, journal, account, environment.stop);
    if (journal !== null && place !== null) await checkNotDone(request, place, journal.isEmpty());
    report.plan(plan);
    if (found === null || request.dryRun === true) return { failure: null, written: null, journal: null };
    checkCredits(plan);
    await confirm(request, plan, environment);
    const client = clientOf(found, environment, 'patient');
    const ended = await ask({
      request,
      place,
      environment,
      report,
      plan,
      numbers,
      client,
      table,
      list,
      form,
      keep: keepOf(request, notIn),
      journal,
    });
    isDone = ended.journal === null && ended.failure === null;
    if (isDone && place !== null && request.addresses === null && list.scan.addresses.length > 0)
      await keepFinished(environment.env, {
        fingerprint: list.fingerprint,
        url: found.url,
        atMs: Date.now(),
        output: place.file,
      });
    return ended;
  } finally {
    await journal?.end(isDone);
  }
}

function sourceOf({ input, addresses }: VerifyRequest, environment: Environment): Promise<Source> {
  if (addresses !== null) return streamSource('command line', Readable.from([Buffer.from(addresses.join('\n'))]));
  return input === '-' ? streamSource('standard input', environment.input) : pathSource(input);
}

/** The addresses that are neither asked nor written. @throws Failure */
async function unwantedOf({ notIn }: VerifyRequest, report: Report): Promise<ReadonlySet<string>> {
  if (notIn === undefined) return new Set();
  const table = await openTable(report.watch(await pathSource(notIn)), FOUND, report.inform);
  const unwanted = await unwantedIn(table).catch((error: unknown) => {
    throw explain(error, `${notIn}: `);
  });
  report.inform(`${notIn}: ${several(unwanted.size, 'address', 'addresses')} to leave out.`);
  return unwanted;
}

function readingOf({ addresses, format, encoding, delimiter, sheet, header }: VerifyRequest): Reading {
  return {
    format: addresses === null ? (format ?? null) : 'text',
    encoding: encoding ?? null,
    delimiter: delimiter ?? null,
    hasHeader: header ? null : false,
    sheet: sheet ?? null,
  };
}

function keepOf({ keep, minScore, role, disposable }: VerifyRequest, notIn: ReadonlySet<string>): Keep {
  return { words: keep ?? null, scoreLeast: minScore, hasRole: role, hasDisposable: disposable, notIn };
}

/** How the rows of a table that has been read are written. */
function formOf({ addresses, only, output }: VerifyRequest, table: Table, report: Report): RowForm<OutputFormat> {
  const columns = addresses === null ? RESULT_COLUMNS : FEW_COLUMNS;
  const layout = (only === undefined ? null : replacedIn(table.names)) ?? appendedTo(table.names, columns);
  const first = layout.names[layout.places[0] ?? -1] ?? '';
  if (only === undefined && /^rcpt_\d/.test(first))
    report.inform(`The list already has columns of an earlier run: the new ones are named ${first} and so on.`);
  return { format: formatOf(output, table.format), style: table.style, layout, above: table.above };
}

/** As the output's name says, or as the list is. */
function formatOf(output: string, input: Format): OutputFormat {
  const named = output === '-' ? null : formatByName(output);
  if (named !== null) return named === 'text' ? 'csv' : named;
  return input === 'tsv' || input === 'jsonl' ? input : 'csv';
}

/** A dry run makes none, and looks into one only to go on from it. */
async function journalFor(request: VerifyRequest, place: Place | null, list: List): Promise<OpenJournal | null> {
  if (place === null) return null;
  if (request.dryRun === true && !(request.resume === true && (await exists(place.journal)))) return null;
  return openJournal(place.journal, list.fingerprint);
}

/** Addresses that were typed are meant; a list is confirmed. @throws Failure */
async function confirm(request: VerifyRequest, plan: Plan, environment: Environment): Promise<void> {
  if (request.yes === true || request.addresses !== null || plan.creditsAtMost === 0) return;
  if (request.input === '-' || environment.messages.isTTY !== true || environment.input.isTTY !== true)
    throw new Failure('usage', 'Nobody can confirm this without a terminal: to start, add --yes.');
  if (await isAgreed('Continue? [y/N] ', environment)) return;
  throw new Failure('usage', 'Nothing was verified and nothing was charged.');
}

type Asked = Omit<Job, 'stop' | 'rounds' | 'maxCredits' | 'isStreamed'> & {
  readonly request: VerifyRequest;
  readonly place: Place | null;
  readonly environment: Environment;
};

async function ask({ request, place, environment, ...parts }: Asked): Promise<Ending> {
  const { output, attempts: rounds, maxCredits = null } = request;
  const { report, plan } = parts;
  const openOutput = (): Promise<Output> =>
    place === null ? Promise.resolve(streamOutput(environment.output)) : fileOutput(output, place.file);
  const onStop = (): void =>
    report.inform('Stopping: waiting for requests in progress, up to 90 s. Press Ctrl-C again to quit at once.');
  environment.stop.addEventListener('abort', onStop);
  const startedMs = performance.now();
  try {
    const job = { ...parts, rounds, maxCredits, isStreamed: output === '-', stop: environment.stop };
    const { failure, figures, written } = await runJob(job, openOutput);
    report.summary(plan, figures, (performance.now() - startedMs) / 1_000);
    // A run that learnt nothing leaves nothing to continue with.
    const isLeft = failure !== null || plan.sample !== null;
    const journal = isLeft && figures.done > 0 ? (parts.journal?.path ?? null) : null;
    for (const line of whatNext(request, { figures, written, failure, journal }, plan)) report.inform(line);
    return { failure, written, journal };
  } finally {
    environment.stop.removeEventListener('abort', onStop);
  }
}

type Outcome = Ending & { readonly figures: Figures };

function whatNext(
  { output }: VerifyRequest,
  { figures, written, failure, journal }: Outcome,
  { rows }: Plan,
): readonly string[] {
  const part = written === null || written === rows ? '' : ` with ${count(written)} of ${several(rows, 'row')}`;
  const lines =
    written !== null && output !== '-'
      ? [`Wrote ${output}${part}${journal === null ? '' : ', which is incomplete'}.`]
      : [];
  const { putOff, putOffS } = figures;
  // The failure itself says what a ceiling needs besides.
  if (failure === null && journal !== null)
    lines.push('To verify the rest, run the same command with --resume and without --sample.');
  else if (journal !== null && !saysHow(failure))
    lines.push('To continue where this stopped, run the same command with --resume.');
  else if (journal === null && putOff > 0 && output !== '-')
    lines.push(
      `${several(putOff, 'row')} may get an answer later, the first in ${duration(putOffS)}: rcpt verify ${shellWord(output)} --only unknown -o NEW`,
    );
  return lines;
}

function saysHow(failure: Ending['failure']): boolean {
  return failure?.message.includes('--resume') ?? false;
}
