import { expect, test } from 'vitest';
import type { Resolve } from '../../prober/engine/ports/ports.ts';
import type { TraceEvent } from '../../prober/engine/ports/settings.ts';
import { createTrace } from './trace.ts';

function start(resolve: Partial<Resolve> = {}) {
  const lines: string[] = [];
  let now = 1_000;
  const trace = createTrace(
    {
      mx: () => Promise.resolve({ kind: 'failed' }),
      addresses: () => Promise.resolve({ addresses: [], certain: true }),
      ...resolve,
    },
    () => now,
    (line) => lines.push(line),
  );
  now = 1_004.4;
  const tell = (part: Partial<TraceEvent>): void =>
    trace.event({
      atMs: 1_012.3,
      session: 2,
      host: 'mx.test',
      ip: '192.0.2.1',
      direction: 'sent',
      line: 'EHLO p.test',
      ...part,
    });
  return { lines, trace, tell };
}

test('control characters from a server never reach the terminal, and lines are bounded', () => {
  const { lines, tell } = start();
  tell({ direction: 'received', line: '250 \u001b[2J\u0007\u009b1m\u202Eevil\r\nnext' });
  tell({ direction: 'received', line: 'x'.repeat(4_000) });
  expect(lines[0]).toBe('    +12 ms  #2 < 250 \\u{1b}[2J\\u{7}\\u{9b}1m\\u{202e}evil\\u{d}\\u{a}next\n');
  expect(lines[1]?.length).toBeLessThan(1_100);
});
