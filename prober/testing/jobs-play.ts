import { FakeClock } from '../../schema/testing/fake-clock.ts';
import type { LogFields } from '../base/log.ts';
import type { ProbeBatch } from '../engine/batch.ts';
import { type Job, Jobs, type Trust } from '../link/jobs.ts';
import type { ProvenJob } from '../link/verify-job.ts';
import { ScriptedEngine } from './scripted-engine.ts';

// The jobs of one process, with an engine controlled by the test.

const BELIEVED: Trust = { failed: 0, failing: [], confirm: () => Promise.resolve(true) };
export const proven = (changes: Partial<ProvenJob> = {}): ProvenJob => ({
  id: 'b.1',
  remainingMs: 90_000,
  account: 5,
  payloadHash: 'hash',
  week: { nowS: 0, seeds: ['this', 'last'] },
  addresses: [
    ['x', 'a.test'],
    ['y', 'b.test'],
  ],
  ...changes,
});

export type Play = {
  jobs: Jobs;
  clock: FakeClock;
  engine: ScriptedEngine;
  news: Job[];
  /** Except `job`. */
  log: string[];
  jobLines: LogFields[];
  counts: number[];
  /** How each job ended, as reported to observers. */
  ends: string[];
};

export function play(answer: ((batch: ProbeBatch) => void) | null = null, trust: Trust = BELIEVED): Play {
  const clock = new FakeClock();
  const engine = new ScriptedEngine(answer);
  const log: string[] = [];
  const jobLines: LogFields[] = [];
  const counts: number[] = [];
  const ends: string[] = [];
  const jobs: Jobs = new Jobs({
    engine,
    clock,
    trust,
    log: (event, fields = {}) => {
      if (event === 'job') jobLines.push(fields);
      else log.push(event);
    },
    observer: { evidence: () => undefined, jobEnded: (how) => ends.push(how) },
    onCount: () => counts.push(jobs.running),
  });
  return { jobs, clock, engine, news: [], log, jobLines, counts, ends };
}
export const accept = (p: Play, changes: Partial<ProvenJob> = {}): ReturnType<Jobs['accept']> =>
  p.jobs.accept(proven(changes), 0, (job) => p.news.push(job));

export function jobOf(taken: ReturnType<Jobs['accept']>): Job {
  if ('job' in taken) return taken.job;
  throw new Error(`no job: ${taken.kind}`);
}
