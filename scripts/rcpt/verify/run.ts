import type { Item, Rcpt, Tally, Verification } from '../../../schema/client/index.ts';
import { explain } from '../failure/explain.ts';
import type { Table } from '../../../schema/lists/reading/table.ts';
import { RowResults } from './row-results.ts';
import { Count, type Figures, type Plan } from './figures.ts';
import { type Failure, Interrupted } from '../failure/failure.ts';
import type { List } from './list.ts';
import type { Output } from './output.ts';
import type { OpenJournal } from './places.ts';
import type { Report } from './report.ts';
import { partOf } from '../../../schema/list-job/sample.ts';
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
  const verification = client.verifyAll(emailsOf(list, numbers), {
    // Requests under way may have been paid for: they are read to their end, unless there is nowhere to keep the answers.
    stop: journal === null ? job.stop : AbortSignal.any([job.stop, unwritable.signal]),
    signal: journal === null ? unwritable.signal : undefined,
    rounds: job.rounds,
    maxCredits: job.maxCredits ?? undefined,
    journal: numbers === null || journal === null ? journal?.journal : partOf(journal.journal, numbers),
  });
  const tally = (): Tally => verification.tally;
  const asked =
    numbers === null
      ? new Count({ total: plan.distinct, known: plan.knownDistinct }, tally)
      : new Count({ total: numbers.length, known: 0 }, tally);
  const rows = new Count({ total: plan.addresses, known: plan.known }, tally);
  report.begin(() => asked.figures);
  const steps = { ...job, verification, asked, rows };
  try {
    const ended = job.isStreamed ? await toStream(steps, openOutput, unwritable) : await toFile(steps, openOutput);
    const failure = ended.error === null || ended.error instanceof Interrupted ? ended.error : explain(ended.error);
    return { failure, figures: (ended.written === null ? asked : rows).figures, written: ended.written };
  } finally {
    report.pause();
  }
}

/** A stream for the client, which would look for duplicates in an array once more. */
async function* emailsOf({ scan }: List, numbers: readonly number[] | null): AsyncGenerator<string, undefined> {
  yield* numbers === null ? scan.addresses : numbers.map((number) => scan.addresses[number] ?? '');
}

type Steps = Job & {
  readonly verification: Verification<string>;
  readonly asked: Count;
  readonly rows: Count;
};
type Ended = { readonly error: unknown; readonly written: number | null };

/** Into a file, which is opened first: one that cannot be written is reported before anything is paid. */
async function toFile(job: Steps, openOutput: () => Promise<Output>): Promise<Ended> {
  const { asked, plan, numbers } = job;
  // Of a sample there is no file: its results wait in the journal.
  if (numbers !== null) return { error: await gather(job, () => {}), written: null };
  const output = await openOutput();
  let error = await gather(job, () => {});
  if (asked.figures.done + plan.known === 0 && plan.distinct > 0) {
    await output.abandon();
    return { error, written: null };
  }
  try {
    const written = await writeRows(job, output, null);
    return { error, written };
  } catch (failure) {
    error ??= failure;
    return { error, written: null };
  }
}

/** To a reader who sees each row as soon as it is known. */
async function toStream(job: Steps, openOutput: () => Promise<Output>, unwritable: AbortController): Promise<Ended> {
  const { plan } = job;
  const answers = new RowResults(plan.distinct < plan.addresses);
  const asking = gather(job, ({ index, result, asked }) => answers.add(index, { result, asked })).finally(() =>
    answers.end(),
  );
  try {
    const hasRows = (await answers.begun()) || plan.distinct === 0;
    const written = hasRows ? await writeRows(job, await openOutput(), answers) : null;
    return { error: await asking, written };
  } catch (error) {
    unwritable.abort(error);
    await asking;
    return { error, written: null };
  }
}

/** @returns what ended it; null if nothing did */
async function gather({ verification, asked }: Steps, hear: (item: Item<string>) => void): Promise<unknown> {
  try {
    for await (const item of verification) {
      asked.add(item);
      hear(item);
    }
    return null;
  } catch (error) {
    return error;
  }
}

/** @param answers null: all that is known stands in the journal. @returns how many rows were written */
async function writeRows(job: Steps, target: Output, answers: RowResults | null): Promise<number> {
  const { table, list, form, keep, rows, journal } = job;
  const resultOf: Export['resultOf'] = async (number, flush) => {
    // A reader sees what is known before the next is waited for.
    if (answers?.has(number) === false) await flush();
    const result = (await answers?.receive(number)) ?? (await journal?.journal.known(number)) ?? null;
    if (result !== null) rows.add(result);
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
