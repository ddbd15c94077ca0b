import { expect, test } from 'vitest';
import { bugTeller } from './bug-teller.ts';
import type { LogFields } from './log.ts';

/** What was logged for this many identical errors. */
function told(error: unknown, times: number): readonly (LogFields | undefined)[] {
  const lines: (LogFields | undefined)[] = [];
  const tell = bugTeller((_event, fields) => lines.push(fields));
  for (let n = 0; n < times; n += 1) tell(error);
  return lines;
}

test('a bug is logged by its kind and place, without its message', () => {
  const [line] = told(new RangeError('jo@secret.example\n    at jo@secret.example'), 1);
  expect(line).toEqual({
    count: 1,
    error: 'RangeError',
    at: expect.stringMatching(/bug-teller\.test\.ts:\d+:\d+\)?$/),
  });
});

test('a thousand bugs make ten lines', () => {
  expect(told(new Error('again'), 1_000).map((fields) => fields?.['count'])).toEqual([
    1, 2, 4, 8, 16, 32, 64, 128, 256, 512,
  ]);
});

test('a thrown value that is no Error is logged too', () => {
  expect(told('jo@secret.example', 1)).toEqual([{ count: 1, error: 'string', at: 'unknown place' }]);
});
