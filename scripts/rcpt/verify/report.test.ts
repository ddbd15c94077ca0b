import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NO_FIGURES } from '../testing/figures.ts';
import type { Figures } from './figures.ts';
import { jsonReport, wordReport } from './report.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function screen(isTTY: boolean) {
  let text = '';
  const stream = new Writable({
    write: (piece: Buffer, _encoding, done) => {
      text += piece.toString();
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY, columns: 40 }), text: () => text };
}

/** A run of 100 answers a second, of which the journal knew 1,000 at once. */
function running(): () => Figures {
  const startedMs = performance.now();
  const done = (): number => 1_000 + (performance.now() - startedMs) / 10;
  return () => ({ ...NO_FIGURES, done: done(), total: 10_000, known: 1_000 });
}

test('on a terminal one line is drawn again and again, cut to its width, and cleared for what is said', () => {
  const { stream, text } = screen(true);
  const report = wordReport(stream, false, false);
  report.begin(running());
  vi.advanceTimersByTime(2_500);
  report.inform('A note.');
  report.pause();
  report.inform('Done.');
  vi.advanceTimersByTime(60_000);
  const drawn = text().split('\r\u001B[K');
  expect(drawn.slice(0, 2)).toEqual(['', '1,050 of 10,000 (10 %) · 0 credits · va']);
  expect(drawn.slice(-4)).toEqual([
    '1,200 of 10,000 (12 %) · 100/s · 1 min ',
    '1,250 of 10,000 (12 %) · 100/s · 1 min ',
    'A note.\n',
    'Done.\n',
  ]);
});

test.each<[string, boolean, number]>([
  ['a terminal', true, 1_000],
  ['a terminal, of a large list', true, 200_000_000],
  ['a file, of a large list', false, 200_000_000],
])(
  '%s says from the first second how far a list is read, and then counted, whatever comes between',
  async (_where, isTTY, size) => {
    const { stream, text } = screen(isTTY);
    const report = wordReport(stream, false, false);
    const source = report.watch({ name: 'a.csv', size, read: () => Promise.resolve(new Uint8Array()) });
    await source.read(0, size / 2);
    vi.advanceTimersByTime(1_000);
    expect(text()).toContain(isTTY ? 'a.csv: reading, 50 %' : 'a.csv: reading, 0 %\n');
    report.inform('A note.');
    await source.read(size / 2, size + 9);
    await source.read(0, size / 4);
    vi.advanceTimersByTime(9_000);
    expect(text()).toContain('a.csv: counting, 25 %');
    report.pause();
    const said = text();
    vi.advanceTimersByTime(60_000);
    expect(text()).toBe(said);
  },
);

test.each([
  ['of a small list in a file', 1_000, false],
  ['that is quiet', 200_000_000, true],
])('a run %s says nothing in its first seconds', (_kind, size, isQuiet) => {
  const { stream, text } = screen(false);
  wordReport(stream, isQuiet, false).watch({ name: 'a.csv', size, read: () => Promise.resolve(new Uint8Array()) });
  vi.advanceTimersByTime(9_000);
  expect(text()).toBe('');
});

test('programs get an event every ten seconds', () => {
  const { stream, text } = screen(false);
  const report = jsonReport(stream);
  report.begin(running());
  vi.advanceTimersByTime(20_000);
  report.pause();
  const events = text().trim().split('\n');
  expect(events).toHaveLength(2);
  expect(JSON.parse(events[1] ?? '')).toMatchObject({
    event: 'progress',
    done: 3_000,
    perSecond: 100,
    secondsLeft: 70,
  });
});
