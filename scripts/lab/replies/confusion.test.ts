import { describe, expect, test } from 'vitest';
import { isFalseDead, measure, type Judged } from './confusion.ts';

const CASES: Judged[] = [
  { expected: 'dead', also: [], got: 'dead' },
  { expected: 'dead', also: ['policy'], got: 'policy' },
  { expected: 'policy', also: [], got: 'no_such_mailbox' },
  { expected: 'policy', also: ['no_such_mailbox'], got: 'no_such_mailbox' },
];

describe('figures of a classifier', () => {
  const figures = measure(CASES, ['dead', 'policy', 'no_such_mailbox']);

  test('count strictly, leniently, and living mailboxes called invalid apart', () => {
    expect(figures).toMatchObject({ total: 4, strict: 1, lenient: 3, falseDead: 1 });
    expect(CASES.map(isFalseDead)).toEqual([false, false, true, false]);
  });

  test('give precision and recall by outcome, none if nothing was judged or expected so', () => {
    expect(figures.outcomes).toEqual([
      {
        outcome: 'dead',
        expected: 2,
        judged: 1,
        precision: { strict: 1, lenient: 1 },
        recall: { strict: 0.5, lenient: 1 },
      },
      {
        outcome: 'policy',
        expected: 2,
        judged: 1,
        precision: { strict: 0, lenient: 1 },
        recall: { strict: 0, lenient: 0.5 },
      },
      { outcome: 'no_such_mailbox', expected: 0, judged: 2, precision: { strict: 0, lenient: 0.5 }, recall: null },
    ]);
  });

  test('show what was taken for what', () => {
    expect(figures.matrix['dead']).toEqual({ dead: 1, policy: 1, no_such_mailbox: 0 });
  });
});
