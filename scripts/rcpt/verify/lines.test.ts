import { describe, expect, test } from 'vitest';
import { NO_FIGURES, NO_PLAN } from '../testing/figures.ts';
import type { Figures, Plan } from './figures.ts';
import { planLines, progressLine, secondsLeft, summaryLines } from './lines.ts';

const FIGURES: Figures = {
  ...NO_FIGURES,
  done: 4_312,
  total: 10_000,
  verdicts: new Map(Object.entries({ valid: 3_001, risky: 402, invalid: 611, unknown: 298 })),
  charged: 4_102,
  returned: 210,
};
const LIST = { input: 'list.csv', rows: 10_012, addresses: 10_000, distinct: 9_640, creditsAtMost: 9_640 };
const PLAN: Plan = { ...NO_PLAN, ...LIST };

test('progress is one line, the verdicts last', () => {
  expect(progressLine(FIGURES, 512)).toBe(
    '4,312 of 10,000 (43 %) · 512/s · 12 s left · 4,102 credits · valid 3,001, risky 402, invalid 611, unknown 298',
  );
  expect(progressLine({ ...FIGURES, waiting: 31, waitingS: 250, charged: 1 }, 0)).toMatch(
    /^4,312 of 10,000 \(43 %\) · 0\.0\/s · 1 credit · 31 to be asked again, the first in 4 min 10 s · valid/,
  );
  expect(progressLine({ ...FIGURES, pausedS: 42 }, 0)).toContain(' · the service takes the next request in 42 s · ');
  expect(progressLine({ ...FIGURES, conflicts: 2 }, 0)).toContain(
    ' · 2 interrupted requests still held by the service, up to 4 min · valid',
  );
});

test.each([
  ['what is left at this rate', {}, 100, 56.88],
  ['not told while nothing comes', {}, 0, null],
  ['not told while all the rest waits for its time', { waiting: 5_688 }, 100, null],
  ['without those that wait for their time', { waiting: 5_588 }, 100, 1],
])('the time left is %s', (_name, figures, perSecond, left) => {
  expect(secondsLeft({ ...FIGURES, ...figures }, perSecond)).toBe(left);
});

describe('the plan', () => {
  test('says what is known and no more', () => {
    expect(planLines(PLAN)).toEqual([
      'list.csv: 10,012 rows; 10,000 addresses in the column "email", 9,640 of them different.',
      'It costs at most 9,640 credits.',
    ]);
  });

  test('says what the journal knows, that asking again may cost more, and what is spent at most', () => {
    const more = { distinct: 10_000, known: 1, knownDistinct: 1, rounds: 3, credits: 20_000, maxCredits: 12_000 };
    expect(planLines({ ...PLAN, ...more })).toEqual([
      'list.csv: 10,012 rows; 10,000 addresses in the column "email".',
      '1 row already in the journal, at no cost.',
      'It costs at most 9,640 credits. Asking again may cost more. The account has 20,000. No more than 12,000 will be spent.',
    ]);
  });
});

test('the summary says what is not sure, which rows have no address, and which --only left out', () => {
  expect(summaryLines({ ...PLAN, excluded: 12 }, FIGURES, 1).at(-1)).toBe('12 rows left as they were by --only.');
  expect(summaryLines(PLAN, { ...FIGURES, unsure: 1, askedAgain: 2 }, 3_725.2)).toEqual([
    '4,312 of 10,000 rows answered in 1 h 2 min: valid 3,001, risky 402, invalid 611, unknown 298.',
    '4,102 credits charged, 210 returned. 2 rows asked more than once.',
    'Requests that were cut off may have cost up to 1 credit more.',
    '12 rows without an address.',
  ]);
});
