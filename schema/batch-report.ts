import * as z from 'zod';
import { hostIdSchema } from './enrolment.ts';

// How one batch went, as an operator reads it: ids of ours, words of ours and numbers. No address, no domain, no account.

const ms = z.number().min(0);

const jobReportSchema = z.object({
  /** The job's number in its batch: the host's log line `job` says `<batch id>.<number>`. */
  job: z.number(),
  host: hostIdSchema,
  addresses: z.number(),
  /** When it was given to the host, from the batch's begin in the Fleet object. */
  atMs: ms,
  /** From then to the host's first word; null: it never said one. */
  answeredMs: ms.nullable(),
  /** From then to its end; null: it had not ended when the batch did. */
  endedMs: ms.nullable(),
  /** How it ended: `done`, `withdrawn`, `refused_busy`, `no_ack` and so on; null as above. */
  end: z.string().nullable(),
});

export const batchReportSchema = z.object({
  id: z.string(),
  /** When the Fleet object got it, milliseconds since 1970. */
  atMs: z.number(),
  addresses: z.number(),
  /** Before that in the Worker: everything (key, limits, hold), and of it the trip to D1 that held the credits; null: a Worker that does not say. */
  before: z.object({ ms, holdMs: ms }).nullable(),
  /** In the Fleet object, to its last line. */
  ms,
  outcome: z.string(),
  /** Why it ended: `done`, `deadline`, `no_host`; null: its caller went away. */
  cause: z.string().nullable(),
  /** The first of its jobs; second opinions are jobs of their own. */
  jobs: z.array(jobReportSchema),
  /** How many jobs it had. */
  jobsAll: z.number(),
});
export type JobReport = Readonly<z.infer<typeof jobReportSchema>>;
export type BatchReport = Readonly<z.infer<typeof batchReportSchema>>;
