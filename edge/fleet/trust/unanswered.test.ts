import { describe, expect, it } from 'vitest';
import { UnansweredJobs } from './unanswered.ts';

const MINUTE_MS = 60_000;

describe('UnansweredJobs', () => {
  it('keeps back from a host that left jobs unanswered three times in ten minutes, and says so once', () => {
    const jobs = new UnansweredJobs();
    expect([0, 25_000, 50_000, 75_000].map((ms) => jobs.note('fra-1', ms))).toEqual([false, false, true, false]);
    expect(jobs.isKeptBack('fra-1', 75_000)).toBe(true);
    expect(jobs.isKeptBack('fra-2', 75_000)).toBe(false);
    expect(jobs.isKeptBack('fra-1', 75_000 + 5 * MINUTE_MS)).toBe(false);
  });

  it('takes what was lost with one crash for one time', () => {
    const jobs = new UnansweredJobs();
    for (let ms = 0; ms < 9_000; ms += 10) expect(jobs.note('fra-1', ms)).toBe(false);
    expect(jobs.isKeptBack('fra-1', 9_000)).toBe(false);
  });

  it('bears with three times in more than ten minutes', () => {
    const jobs = new UnansweredJobs();
    for (const minute of [0, 6, 12, 18]) expect(jobs.note('fra-1', minute * MINUTE_MS)).toBe(false);
  });

  it('knows a thousand hosts, however many come', () => {
    const jobs = new UnansweredJobs();
    for (let ms = 0; ms < 30_000; ms += 10_000) jobs.note('first', ms);
    for (let n = 0; n < 1_000; n += 1) jobs.note(`host-${n}`, 30_000);
    expect(jobs.isKeptBack('first', 30_000)).toBe(false);
  });
});
