import type { Rcpt } from '../../../schema/client/index.ts';
import { explain } from '../failure/explain.ts';
import type { Table } from '../../../schema/lists/reading/table.ts';
import { RowResults } from './row-results.ts';
import { type Figures, figuresOf, type Plan } from './figures.ts';
import { type Failure, Interrupted } from '../failure/failure.ts';
import type { List } from './list.ts';
import type { Output } from './output.ts';
import type { OpenJournal } from './places.ts';
import type { Report } from './report.ts';
import { Results } from '../../../schema/list-job/results.ts';
import { runList, type Running } from '../../../schema/list-job/run.ts';
import { type Export, exportList } from '../../../schema/list-job/export.ts';
import type { Keep } from '../../../schema/list-job/keep.ts';
import type { OutputFormat } from '../../../schema/lists/writing/list-writer.ts';
import type { RowForm } from '../../../schema/lists/writing/row-writer.ts';

export type Job = {
  readonly client: Rcpt;
  readonly table: Table;
  readonly list: List;
  readonly plan: Plan;
  /** The addresses that are asked, of a sample; null: all of them. */
  readonly numbers: readonly number[] | null;
  readonly form: RowForm<OutputFormat>;
  readonly keep: Keep;
  readonly journal: OpenJournal | null;
  readonly rounds: number;
  readonly maxCredits: number | null;
  readonly report: Report;
  /** Rows go to standard output, as they come. */
  readonly isStreamed: boolean;
  readonly stop: AbortSignal;
};

/** How it ended: `failure` is null if all was answered and written. */
export type JobResult = {
  readonly failure: Failure | Interrupted | null;
  readonly figures: Figures;
  /** How many rows were written, with what was known about them; null: there is no output. */
  readonly written: number | null;
};

/**
 * Asks for the list, and writes its rows in their order with what is known of each, however asking ends; if nothing is, no
 * output is made. A file is written when all is asked, from the journal: so it has all that any run has learnt, and nothing
 * of a list is in memory. Standard output gets each row as soon as it can.
 */
export async function runJob(job: Job, openOutput: () => Promise<Output>): Promise<JobResult> {
  const { client, list, journal, report, plan, numbers } = job;
  const unwritable = new AbortController();
  const results = new Results(plan.distinct);
  const answers = job.isStreamed ? new RowResults(plan.distinct < plan.addresses) : null;
  const run = runList(
    {
      client,
      addresses: list.scan.addresses,
      numbers,
      journal: journal?.journal ?? null,
      results,
      options: {
        // Requests under way may have been paid for: they are read to their end, unless there is nowhere to keep the answers.
        stop: journal === null ? job.stop : AbortSignal.any([job.stop, unwritable.signal]),
        signal: journal === null ? unwritable.signal : undefined,
        rounds: job.rounds,
        maxCredits: job.maxCredits ?? undefined,
      },
    },
    (number, result) => answers?.add(number, result),
  );
  const addresses =
    numbers === null ? { total: plan.distinct, known: plan.knownDistinct } : { total: numbers.length, known: 0 };
  report.begin(() => figuresOf(results.counts(), addresses, run.tally));
  const steps = { ...job, run, results, openOutput };
  try {
    const { error, written } = await (answers === null ? toFile(steps) : toStream(steps, answers, unwritable));
    // All that was asked was under way when the user stopped.
    const isOver = error instanceof Interrupted && written !== null && results.left === 0 && job.rounds === 1;
    const failure = error === null || isOver ? null : error instanceof Interrupted ? error : explain(error);
    const rows = { total: plan.addresses, known: plan.known };
    const figures =
      written === null
        ? figuresOf(results.counts(), addresses, run.tally)
        : figuresOf(results.counts(list.scan), rows, run.tally);
    return { failure, figures, written };
  } finally {
    report.pause();
  }
}

type Steps = Job & {
  readonly run: Running;
  readonly results: Results;
  readonly openOutput: () => Promise<Output>;
};
type Ended = { readonly error: unknown; readonly written: number | null };

/** Into a file, which is opened first: one that cannot be written is reported before anything is paid. */
async function toFile(job: Steps): Promise<Ended> {
  const { run, results, plan, numbers } = job;
  // Of a sample there is no file: its results wait in the journal.
  if (numbers !== null) return { error: await errorOf(run.gather()), written: null };
  const output = await job.openOutput();
  const error = await errorOf(run.gather());
  if (results.answered + plan.known === 0 && plan.distinct > 0) {
    await output.abandon();
    return { error, written: null };
  }
  try {
    const written = await writeRows(job, output, null);
    return { error, written };
  } catch (failure) {
    return { error: error ?? failure, written: null };
  }
}

/** To a reader who sees each row as soon as it is known. */
async function toStream(job: Steps, answers: RowResults, unwritable: AbortController): Promise<Ended> {
  const asking = errorOf(job.run.gather()).finally(() => answers.end());
  try {
    const hasRows = (await answers.begun()) || job.plan.distinct === 0;
    const written = hasRows ? await writeRows(job, await job.openOutput(), answers) : null;
    return { error: await asking, written };
  } catch (error) {
    unwritable.abort(error);
    await asking;
    return { error, written: null };
  }
}

/** What ended it; null if nothing did. */
function errorOf(work: Promise<void>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  );
}

/** @param answers null: all that is known stands in the journal. @returns how many rows were written */
async function writeRows(job: Steps, target: Output, answers: RowResults | null): Promise<number> {
  const { table, list, form, keep, results, journal } = job;
  const resultOf: Export['resultOf'] = async (number, flush) => {
    // A reader sees what is known before the next is waited for.
    if (answers?.has(number) === false) await flush();
    const result = (await answers?.receive(number)) ?? (await journal?.journal.known(number)) ?? null;
    if (result !== null) results.set(number, result);
    return result;
  };
  try {
    const written = await exportList({ table, scan: list.scan, form, keep, resultOf }, target.write);
    // Another run may have taken over while this one was asleep.
    await journal?.check();
    await target.commit();
    return written;
  } catch (error) {
    await target.abandon();
    throw error;
  }
}
