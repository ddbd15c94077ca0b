import { expect, test } from 'vitest';
import { DOMAINS, type Crowd, type Figures } from './crowd.ts';
import { crowdTable } from './report.ts';

const figures = (wallMs: number, more: Partial<Figures> = {}): Figures => ({
  withStart: { wallMs: wallMs + 1_000, cpuMs: 900, rssMiB: 60 },
  work: { wallMs, cpuMs: 500 },
  right: DOMAINS,
  heldAtMost: 20,
  conversed: true,
  ...more,
});

const crowd = (programs: Readonly<Record<string, Figures>>): Crowd => ({
  concurrency: 20,
  figures: new Map(Object.entries(programs)),
  othersPercent: 3,
});

const lineOf = (table: string, name: string): readonly string[] =>
  table
    .split('\n')
    .map((line) => line.split(' | '))
    .find(([, program]) => program === name) ?? [];

test("rcpt's figures stand beside the best of the peers that did the work", () => {
  const seen = crowd({
    rcpt: figures(1_000),
    'bare client': figures(400),
    A: figures(500),
    B: figures(100, { right: DOMAINS - 1 }),
  });
  const table = crowdTable([seen], ['A', 'B'], []);
  expect(lineOf(table, 'rcpt').slice(2, 5)).toEqual(['2.00 s, 1.33 x', '0.90 s, 1.00 x', '1.00 s, 2.00 x']);
  expect(lineOf(table, 'rcpt').slice(-2)).toEqual(['3 %', 'wall above 1.1 x the fastest peer |']);
  expect(lineOf(table, 'A').slice(2, 5)).toEqual(['1.50 s', '0.90 s', '0.50 s']);
  expect(lineOf(table, 'B')).toContain(`${DOMAINS - 1} of ${DOMAINS} right`);
});

test('a peer that could not be built is named with the reason', () => {
  const seen = crowd({ rcpt: figures(1_000), 'bare client': figures(400) });
  const table = crowdTable([seen], [], [{ name: 'A', why: 'needs cargo 1.88 or newer' }]);
  expect(lineOf(table, 'rcpt').at(-1)).toBe('yes |');
  expect(table).toContain('A is not installed: needs cargo 1.88 or newer.');
});
