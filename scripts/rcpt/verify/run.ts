import type { Rcpt, Verification } from '../../../schema/client/index.ts';
import { explain } from '../failure/explain.ts';
import { Failure, Interrupted } from '../failure/failure.ts';
import type { Table } from '../table/open-table.ts';
import { RowResults } from './row-results.ts';
import { Count, type Figures, type Plan } from './figures.ts';
import type { OpenJournal } from './journal.ts';
import type { List } from './list.ts';
import type { Output } from './output.ts';
import type { Report } from './report.ts';
import { listWriter, type OutputFormat } from '../../../schema/lists/writing/list-writer.ts';
import type { RowForm } from '../../../schema/lists/writing/row-writer.ts';

export type Job = {
  readonly client: Rcpt;
  readonly table: Table;
  readonly list: List;
  readonly plan: Plan;
  readonly form: RowForm<OutputFormat>;
  readonly journal: OpenJournal | null;
  readonly rounds: number;
  readonly maxCredits: number | null;
  readonly report: Report;
  readonly stop: AbortSignal;
};

/** How it ended: `failure` is null if all was answered and written. */
export type JobResult = {
  readonly failure: Failure | Interrupted | null;
  readonly figures: Figures;
  /** Rows were written, with what was known about them. */
  readonly isWritten: boolean;
};

/**
 * Asks for the list while rows are written in their order. However asking ends, every row is written with what is known;
 * if nothing is, no output is made.
 */
export async function runJob(job: Job, openOutput: () => Promise<Output>): Promise<JobResult> {
  const { client, list, journal, report } = job;
  const unwritable = new AbortController();
  const verification = client.verifyAll(list.emails, {
    // What is under way may have been paid for: it is heard to its end, unless there is nowhere to keep it.
    stop: journal === null ? job.stop : AbortSignal.any([job.stop, unwritable.signal]),
    signal: journal === null ? unwritable.signal : undefined,
    rounds: job.rounds,
    maxCredits: job.maxCredits ?? undefined,
    journal: journal?.journal,
    fingerprint: list.fingerprint,
    onOtherLine: report.otherLine,
  });
  const count = new Count(job.plan, () => verification.tally);
  const answers = new RowResults();
  report.begin(() => count.figures);
  const asking = gather(verification, answers, count);
  try {
    const isWritten = (await answers.begun()) || list.emails.length === 0;
    if (isWritten) await writeRows(job, answers, await openOutput());
    const error = await asking;
    const failure = error === null || error instanceof Interrupted ? error : explain(error);
    return { failure, figures: count.figures, isWritten };
  } catch (error) {
    unwritable.abort(error);
    await asking;
    return { failure: explain(error), figures: count.figures, isWritten: false };
  } finally {
    report.pause();
  }
}

/** @returns what ended it; null if nothing did */
async function gather(run: Verification<string>, answers: RowResults, count: Count): Promise<unknown> {
  try {
    for await (const item of run) {
      count.add(item);
      answers.add(item.index, { result: item.result, asked: item.asked });
    }
    return null;
  } catch (error) {
    return error;
  } finally {
    answers.end();
  }
}

async function writeRows({ table, list, form }: Job, answers: RowResults, target: Output): Promise<void> {
  try {
    const output = await listWriter(form, target.write);
    let place = 0;
    for await (const row of table.rows()) {
      const email = list.emailOf(row);
      if (email === null) await output.row(row, list.noteOf(row));
      else {
        if (email !== list.emails[place]) throw changed();
        // A reader sees what is known before the next is waited for.
        if (!answers.has(place)) await output.flush();
        await output.row(row, (await answers.receive(place)) ?? 'not_asked_yet');
        place += 1;
      }
    }
    if (place !== list.emails.length) throw changed();
    await output.end();
    await target.commit();
  } catch (error) {
    await target.abandon();
    throw error;
  }
}

function changed(): Failure {
  return new Failure('input', 'The list changed while it was being verified. Restore it and continue with --resume.');
}
