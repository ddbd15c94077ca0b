import { describe, expect, test } from 'vitest';
import type { Labelled } from '../../replies/labelled.ts';
import { judgeAll } from './judgements.ts';
import { accuracyReport } from './report.ts';

const labelled = (
  raw: string,
  expected: Labelled['expected'],
  source: string,
  more: Partial<Labelled> = {},
): Labelled => ({
  id: raw,
  raw,
  stage: 'rcpt',
  expected,
  also: [],
  source,
  ...more,
});

const REPLIES = [
  labelled('550 5.1.1 User unknown', 'no_such_mailbox', 'one/tests:a'),
  labelled('550 5.1.1 User | unknown', 'policy_rejected', 'one/tests:b', { lang: 'en' }),
  labelled('550 5.1.1 User unknown', 'policy_rejected', 'https://two.example/page', { stage: 'mail' }),
  labelled('450 4.2.0 Greylisted', 'greylisting', 'three:x'),
  labelled('550 Zodiac', 'unexpected', 'three:y', { also: ['policy_rejected'] }),
];

describe('the accuracy report', () => {
  const judged = judgeAll(REPLIES);
  const report = accuracyReport(judged, '2026-01-02');

  test('judges every reply once, by the rules, the model and both', () => {
    expect(judged).toHaveLength(REPLIES.length);
    expect(judged.map(({ family }) => family).toSorted()).toEqual(['one', 'one', 'three', 'three', 'two.example']);
    expect(judged.every(({ rules, model, both }) => [rules, model, both].every(({ got }) => got !== ''))).toBe(true);
  });

  test('says the date, the sources, and each figure', () => {
    expect(report).toContain('on 2026-01-02');
    expect(report).toContain('5 replies of real servers from 5 sources in 3 families');
    expect(report).toContain('| both | 5 | 80.0 % | 80.0 % | 1 | 0 | 100.0 % |');
    expect(report).toContain('| en | 1 | 0.0 % | 0.0 % | 1 | 0 | - |');
  });

  test('names the worst mistake first, fit for a table', () => {
    const [first] = report.split('| reply | expected | judged | by |\n|---|---|---|---|\n')[1]?.split('\n') ?? [];
    expect(first).toBe('| `550 5.1.1 User unknown` | **policy_rejected** | no_such_mailbox | mailbox/gone |');
  });
});
