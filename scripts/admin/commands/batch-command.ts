import { Command } from 'commander';
import { batchIdSchema } from '../../../schema/admin.ts';
import type { BatchReport, JobReport } from '../../../schema/batch-report.ts';
import { checked } from '../../base/usage-error.ts';
import { adminApi } from '../connection/api.ts';
import { connectionOf } from '../connection/connection.ts';
import { amount, print } from '../output/print.ts';

/** `batch ID`: why one batch took as long as it did. */
export function batchCommand(write: (text: string) => void): Command {
  return new Command('batch')
    .description('explain one of the last batches: what it waited for, and which hosts had it')
    .argument('<id>', 'x-request-id of the answer')
    .action(async (given: string, _options: unknown, command: Command) => {
      const id = checked(batchIdSchema, given.trim(), 'ID');
      const report = await adminApi(await connectionOf(command)).showBatch(id);
      print(command, write, report, batchLines(report));
    });
}

/** For people: the whole, then each job, with what took longest first. */
export function batchLines({
  id,
  atMs,
  addresses,
  before,
  ms,
  outcome,
  cause,
  jobs,
  jobsAll,
}: BatchReport): readonly string[] {
  const at = new Date(atMs).toISOString().slice(0, 19).replace('T', ' ');
  const allMs = ms + (before?.ms ?? 0);
  return [
    `${id}  ${at} UTC`,
    `${counted(addresses, 'address', 'addresses')} in ${amount(allMs)} ms: ${outcome}${endWords(cause)}`,
    before === null
      ? 'before the fleet: not known'
      : `before the fleet: ${amount(before.ms)} ms, of which the hold ${amount(before.holdMs)} ms`,
    `at the fleet: ${amount(ms)} ms, ${counted(jobsAll, 'job', 'jobs')}${jobsAll > 1 ? ` (${jobsAll - 1} for second opinions or after a loss)` : ''}`,
    ...jobs.flatMap(jobLines),
    ...(jobs.length < jobsAll ? ['', `${jobsAll - jobs.length} more jobs are not told of`] : []),
  ];
}

function endWords(cause: string | null): string {
  if (cause === 'done') return '';
  return cause === null ? ', its caller went away' : `, ended by ${cause}`;
}

function jobLines({ job, host, addresses, atMs, answeredMs, endedMs, end }: JobReport): readonly string[] {
  const answered = answeredMs === null ? 'no answer' : `first answer after ${amount(answeredMs)} ms`;
  const ended = endedMs === null ? 'not ended with the batch' : `${end ?? ''} after ${amount(endedMs)} ms`;
  return [
    '',
    `job ${job} at ${host}: ${counted(addresses, 'address', 'addresses')}, given after ${amount(atMs)} ms, ${answered}, ${ended}`,
  ];
}

function counted(n: number, one: string, many: string): string {
  return `${amount(n)} ${n === 1 ? one : many}`;
}
