import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { describeProgress, Progress } from './progress.ts';

describe('describeProgress', () => {
  it.each([
    [0, null, 0, '0 verified, 0.0/s'],
    [1_234, null, 56.4, '1,234 verified, 56/s'],
    [50, { total: 200, exact: true }, 2.5, '50 of 200 verified (25 %), 2.5/s, 1 min 0 s left'],
    [50, { total: 200, exact: false }, 100, '50 of about 200 verified (25 %), 100/s, 2 s left'],
    [50, { total: 100_000, exact: true }, 10, '50 of 100,000 verified (0 %), 10/s, 2 h 46 min left'],
    [50, { total: 200, exact: true }, 0, '50 of 200 verified (25 %), 0.0/s, time left unknown'],
    [60, { total: 50, exact: false }, 1, '60 of about 60 verified (100 %), 1.0/s, 0 s left'],
    [0, { total: 0, exact: true }, 0, '0 of 0 verified (100 %), 0.0/s, time left unknown'],
  ] as const)('of %d of %j at %d/s is %j', (done, extent, rate, text) => {
    expect(describeProgress(done, extent, rate)).toBe(text);
  });
});

describe('Progress', () => {
  it('is drawn on a terminal if there are many addresses, and nowhere else', () => {
    expect(drawn(true, 60)).toContain('1 of 60 verified (1 %)');
    expect(drawn(true, 10)).toBe('');
    expect(drawn(false, 60)).toBe('');
  });

  it('stays on its one line and leaves it at the end', () => {
    expect(drawn(true, 60, 20)).toBe('\r\u001b[K1 of 60 verified (1\n');
  });
});

/** The line after one step of many. */
function drawn(isTTY: boolean, read: number, columns = 100): string {
  const terminal = Object.assign(new PassThrough(), { isTTY, columns });
  let at = 0;
  const progress = new Progress(terminal, false, () => (at += 1_000));
  progress.expect(read, { total: read, exact: true });
  progress.step();
  progress.stop();
  return String(terminal.read() ?? '');
}
