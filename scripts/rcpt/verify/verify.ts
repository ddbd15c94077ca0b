import { Readable } from 'node:stream';
import type { Source } from '../../../schema/lists/reading/source.ts';
import { clientOf, connect, connection } from '../account/connection.ts';
import { isAgreed } from '../account/ask.ts';
import { explain } from '../failure/explain.ts';
import { EXIT_CODES, Failure, Interrupted } from '../failure/failure.ts';
import { rowCheck } from '../../../schema/lists/writing/list-writer.ts';
import { openTable, type Reading } from '../table/open-table.ts';
import { pathSource, streamSource } from '../table/source.ts';
import { unlessStopped, type World } from '../world/world.ts';
import type { Plan } from './figures.ts';
import { openJournal, type OpenJournal } from './journal.ts';
import { type List, readList } from './list.ts';
import { fileOutput, type Output, streamOutput } from './output.ts';
import { checkNotDone, checkPlaces, exists, journalPath } from './places.ts';
import { checkCredits, planOf } from './plan.ts';
import { jsonReport, type Report, wordReport } from './report.ts';
import type { VerifyRequest } from './request.ts';
import { type Job, runJob } from './run.ts';
import { harmlessLine, several, shellWord } from '../words/words.ts';
import { formatOf, formOf } from './output-form.ts';

/** The lock of a run that was killed is watched for some seconds. */
const PATIENCE_MS = 2_000;

/**
 * `rcpt verify`: reads the list, tells the price, asks, and writes.
 * @returns the exit code; why it is not 0 is told
 */
export async function verify(request: VerifyRequest, world: World): Promise<number> {
  const sharesTerminal = request.output === '-' && world.output.isTTY === true;
  const report = request.isJson
    ? jsonReport(world.output)
    : wordReport(world.messages, request.isQuiet, sharesTerminal);
  let ending: Ending = { failure: null, isWritten: false, journal: null };
  try {
    ending = await verifyWith(request, world, report);
  } catch (error) {
    ending = { ...ending, failure: error instanceof Interrupted ? error : explain(error) };
  }
  const { failure, isWritten, journal } = ending;
  const exitCode = exitCodeOf(failure);
  if (failure !== null) world.messages.write(`rcpt: ${harmlessLine(failure.message)}\n`);
  report.end({
    exitCode,
    message: failure?.message ?? null,
    output: isWritten && request.output !== '-' ? request.output : null,
    journal,
  });
  return exitCode;
}

type Ending = {
  readonly failure: Failure | Interrupted | null;
  readonly isWritten: boolean;
  /** Where to go on from; null if nothing is left to do. */
  readonly journal: string | null;
};

export function exitCodeOf(failure: Failure | Interrupted | null): number {
  if (failure === null) return 0;
  return failure instanceof Interrupted ? failure.exitCode : EXIT_CODES[failure.ending];
}

async function verifyWith(request: VerifyRequest, world: World, report: Report): Promise<Ending> {
  await checkPlaces(request);
  const source = await unlessStopped(world.stop, sourceOf(request, world));
  const table = await openTable(source, readingOf(request), report.inform);
  const check = await rowCheck(formatOf(request, table.format));
  const list = await readList(table, { ...request, check }, world.stop);
  const form = formOf(request, table, report);
  const found = await (request.isDryRun ? connection : connect)(request.connection, world);
  const path = journalPath(request);
  const journal = await journalFor(request, path, list, report);
  let isDone = false;
  try {
    const column = table.names[list.column] ?? '';
    const { rounds, maxCredits } = request;
    const subject = { input: source.name, column, list, rounds, maxCredits };
    const account = found === null ? null : clientOf(found, world, 'quick');
    const plan = await planOf(subject, journal, account, world.stop);
    if (journal !== null) await checkNotDone(request, journal.isEmpty());
    report.plan(plan);
    if (found === null || request.isDryRun) return { failure: null, isWritten: false, journal: null };
    checkCredits(plan);
    await confirm(request, plan, world);
    const client = clientOf(found, world, 'patient');
    const ended = await ask({ request, world, report, plan, client, table, list, form, journal });
    isDone = ended.failure === null;
    return ended;
  } finally {
    await journal?.end(isDone);
    list.originals.close();
  }
}

function sourceOf({ input, addresses }: VerifyRequest, world: World): Promise<Source> {
  if (addresses !== null) return streamSource('command line', Readable.from([Buffer.from(addresses.join('\n'))]));
  return input === '-' ? streamSource('standard input', world.input) : pathSource(input);
}

function readingOf({ addresses, reading }: VerifyRequest): Reading {
  return addresses === null ? reading : { ...reading, format: 'text' };
}

/** A dry run makes none, and looks into one only to go on from it. */
async function journalFor(
  request: VerifyRequest,
  path: string | null,
  list: List,
  report: Report,
): Promise<OpenJournal | null> {
  if (path === null) return null;
  if (request.isDryRun && !(request.isResumed && (await exists(path)))) return null;
  const patience = setTimeout(() => report.inform('Looking whether another run still uses the journal …'), PATIENCE_MS);
  return openJournal(path, list.fingerprint).finally(() => clearTimeout(patience));
}

async function confirm({ input, isAgreed: isAgreedBefore }: VerifyRequest, plan: Plan, world: World): Promise<void> {
  if (isAgreedBefore || input === '-' || world.messages.isTTY !== true || world.input.isTTY !== true) return;
  if (plan.creditsAtMost === 0 || (await isAgreed('Continue? [y/N] ', world))) return;
  throw new Failure('usage', 'Nothing was verified and nothing was charged.');
}

type Asked = Omit<Job, 'stop' | 'rounds' | 'maxCredits' | 'isStreamed'> & {
  readonly request: VerifyRequest;
  readonly world: World;
};

async function ask({ request, world, ...parts }: Asked): Promise<Ending> {
  const { output, rounds, maxCredits } = request;
  const { report, plan } = parts;
  const openOutput = (): Promise<Output> =>
    output === '-' ? Promise.resolve(streamOutput(world.output)) : fileOutput(output);
  const onStop = (): void =>
    report.inform('Stopping: waiting for requests in progress, up to 90 s. Press Ctrl-C again to quit at once.');
  world.stop.addEventListener('abort', onStop);
  const startedMs = performance.now();
  try {
    const job = { ...parts, rounds, maxCredits, isStreamed: output === '-', stop: world.stop };
    const { failure, figures, isWritten } = await runJob(job, openOutput);
    report.summary(plan, figures, (performance.now() - startedMs) / 1_000);
    // A run that learnt nothing leaves nothing to continue with.
    const journal = failure === null || figures.done === 0 ? null : (parts.journal?.path ?? null);
    for (const line of whatNext(request, figures.putOff, isWritten, journal)) report.inform(line);
    return { failure, isWritten, journal };
  } finally {
    world.stop.removeEventListener('abort', onStop);
  }
}

function whatNext(
  { output }: VerifyRequest,
  putOff: number,
  isWritten: boolean,
  journal: string | null,
): readonly string[] {
  const lines =
    isWritten && output !== '-' ? [`Wrote ${output}${journal === null ? '' : ', which is incomplete'}.`] : [];
  if (journal !== null) lines.push('To continue where this stopped, run the same command with --resume.');
  else if (putOff > 0 && output !== '-')
    lines.push(
      `${several(putOff, 'row')} may get an answer later: rcpt verify ${shellWord(output)} --only unknown -o NEW`,
    );
  return lines;
}
