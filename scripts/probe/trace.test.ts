import { expect, test } from 'vitest';
import type { Resolve } from '../../prober/engine/ports/ports.ts';
import type { TraceEvent } from '../../prober/engine/ports/settings.ts';
import { createTrace } from './trace.ts';

const { signal } = new AbortController();

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

test('each line has its time, session and direction; notes name the host', () => {
  const { lines, tell } = start();
  tell({ direction: 'note', line: 'connecting to port 25' });
  tell({});
  tell({ direction: 'received', line: '250 ok', atMs: 61_000 });
  expect(lines).toEqual([
    '    +12 ms  #2 * mx.test [192.0.2.1]: connecting to port 25\n',
    '    +12 ms  #2 > EHLO p.test\n',
    ' +60000 ms  #2 < 250 ok\n',
  ]);
});

test('lookups are told with their answers, and answered all the same', async () => {
  const records = [
    { exchange: 'mx.test', preference: 10 },
    { exchange: '', preference: 20 },
  ];
  const { lines, trace } = start({
    mx: (domain) => {
      if (domain === 'x.test') return Promise.resolve({ kind: 'found', records });
      return Promise.resolve({ kind: domain === 'none.test' ? 'none' : domain === 'no.test' ? 'nxdomain' : 'failed' });
    },
    addresses: (host) =>
      Promise.resolve({
        addresses: host === 'mx.test' ? [{ ip: '192.0.2.1', declared: true }] : [],
        certain: host === 'mx.test',
      }),
  });
  expect(await trace.resolve.mx('x.test', signal)).toEqual({ kind: 'found', records });
  for (const domain of ['none.test', 'no.test', 'slow.test']) await trace.resolve.mx(domain, signal);
  for (const host of ['mx.test', 'half.test']) await trace.resolve.addresses(host, signal);
  expect(lines.map((line) => line.slice(12, -1))).toEqual([
    'dns MX x.test: 10 mx.test, 20 . (null MX)',
    'dns MX none.test: no such record',
    'dns MX no.test: no such name',
    'dns MX slow.test: no answer',
    'dns A and AAAA mx.test: 192.0.2.1',
    'dns A and AAAA half.test: none (one lookup got no answer)',
  ]);
});

test('nothing that a server says reaches the terminal as a command, and no line is endless', () => {
  const { lines, tell } = start();
  tell({ direction: 'received', line: '250 \u001b[2J\u0007\u009b1m\u202Eevil\r\nnext' });
  tell({ direction: 'received', line: 'x'.repeat(4_000) });
  expect(lines[0]).toBe('    +12 ms  #2 < 250 \\u{1b}[2J\\u{7}\\u{9b}1m\\u{202e}evil\\u{d}\\u{a}next\n');
  expect(lines[1]?.length).toBeLessThan(1_100);
});
