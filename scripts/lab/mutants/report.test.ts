import { describe, expect, it } from 'vitest';
import { describeReport, type Fate, reportOn, type Tried } from './report.ts';

const tried = (file: string, after: string, fate: Fate): Tried => ({
  file,
  fate,
  mutant: { start: 0, end: 1, text: '', line: 7, before: 'a < b', after },
});
const TRIED = [
  tried('a.ts', 'a <= b', 'caught'),
  tried('a.ts', 'a > b', 'timeout'),
  tried('a.ts', 'a', 'lived'),
  tried('b.ts', 'b', 'untested'),
  tried('a.ts', 'c', 'lived'),
];
const judged = (file: string, after: string): { file: string; before: string; after: string; reason: string } => ({
  file,
  before: 'a < b',
  after,
  reason: 'the same',
});

describe('reportOn', () => {
  it('counts what came of the mutants of each file, and of all', () => {
    const { files, total } = reportOn(TRIED, [judged('a.ts', 'c')], true);
    const a = { file: 'a.ts', mutants: 4, caught: 1, timeouts: 1, judged: 1, lived: 1, untested: 0, percent: 50 };
    const b = { file: 'b.ts', mutants: 1, caught: 0, timeouts: 0, judged: 0, lived: 0, untested: 1, percent: 0 };
    expect(files).toEqual([a, b]);
    expect(total).toEqual({ ...a, file: 'all', mutants: 5, untested: 1, percent: 40 });
  });

  it('names the survivors that nobody has judged, where they stand', () => {
    const { survivors, judged: known } = reportOn(TRIED, [judged('a.ts', 'c')], true);
    expect(survivors).toEqual([
      { file: 'a.ts', line: 7, before: 'a < b', after: 'a' },
      { file: 'b.ts', line: 7, before: 'a < b', after: 'b' },
    ]);
    expect(known).toEqual([judged('a.ts', 'c')]);
  });

  it('calls a judgement on what is caught or gone stale, if every mutant of its file was tried', () => {
    const judgements = [judged('a.ts', 'a <= b'), judged('a.ts', 'gone'), judged('a.ts', 'c'), judged('c.ts', 'c')];
    expect(reportOn(TRIED, judgements, true).stale).toEqual(judgements.slice(0, 2));
    expect(reportOn(TRIED, judgements, false).stale).toEqual([]);
  });

  it('never rounds up', () => {
    const many = Array.from({ length: 2_000 }, () => tried('a.ts', 'a', 'caught'));
    expect(reportOn([...many, tried('a.ts', 'b', 'lived')], [], true).total.percent).toBe(99.9);
  });
});

describe('describeReport', () => {
  it('shows survivors, judgements with their reason, and the figures', () => {
    const text = describeReport(reportOn(TRIED, [judged('a.ts', 'c'), judged('b.ts', 'gone')], true));
    expect(text).toContain('a.ts:7\n  - a < b\n  + a\n');
    expect(text).toContain('judged: a.ts\n  - a < b\n  + c\n  the same\n');
    expect(text).toContain('stale judgement: b.ts\n  - a < b\n  + gone\n');
    expect(text).toMatch(/^all( +\d+){6} +40$/m);
  });
});
