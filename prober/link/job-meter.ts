import type { JobFigures } from '../../schema/job-figures.ts';

/** What is done for one job. */
export type Measured = {
  /** All that comes of this work is counted for the job. */
  run<T>(work: () => T): T;
  readonly work: JobFigures['work'];
};
export type JobMeter = { begin(): Measured };
