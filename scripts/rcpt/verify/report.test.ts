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
  vi.advanceTimersByTime(1_000);
  report.inform('A note.');
  report.pause();
  report.inform('Done.');
  vi.advanceTimersByTime(60_000);
  const drawn = ['1,050 of 10,000 (10 %) · 100/s · 1 min ', '1,100 of 10,000 (11 %) · 100/s · 1 min '];
  expect(text().split('\r\u001B[K')).toEqual(['', drawn[0], drawn[1], 'A note.\n', 'Done.\n']);
});

test('elsewhere a line is written every ten seconds, nothing to a terminal that has the rows, nothing if it is quiet', () => {
  const plain = screen(false);
  const shared = screen(true);
  const quiet = screen(true);
  const reports = [
    wordReport(plain.stream, false, false),
    wordReport(shared.stream, false, true),
    wordReport(quiet.stream, true, false),
  ];
  for (const report of reports) report.begin(running());
  vi.advanceTimersByTime(9_999);
  expect(plain.text()).toBe('');
  vi.advanceTimersByTime(10_001);
  for (const report of reports) report.pause();
  expect(plain.text()).toMatch(/^2,000 of 10,000 .* 100\/s .*\n3,000 of 10,000 .* 100\/s .*\n$/);
  expect(shared.text()).not.toContain('\r');
  expect(quiet.text()).toBe('');
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

const FIGURES = { ...NO_FIGURES, done: 3, total: 3, verdicts: new Map([['valid', 3]]), charged: 3, returned: 1 };

test('the rate covers the last seconds, and no time left is shown when nothing arrives', () => {
  const { stream, text } = screen(false);
  const startedMs = performance.now();
  const done = (): number => Math.min(1_000, (performance.now() - startedMs) / 10);
  const report = wordReport(stream, false, false);
  report.begin(() => ({ ...FIGURES, done: done(), total: 2_000 }));
  const programs = screen(false);
  const json = jsonReport(programs.stream);
  json.begin(() => ({ ...FIGURES, done: done(), total: 2_000 }));
  vi.advanceTimersByTime(30_000);
  report.pause();
  json.pause();
  const rates = text()
    .trim()
    .split('\n')
    .map((line) => /· ([\d.]+\/s) · (.*) ·/.exec(line)?.slice(1, 3));
  expect(rates).toEqual([
    ['100/s', '10 s left · 3 credits'],
    ['50/s', '20 s left · 3 credits'],
    ['0.0/s', '3 credits'],
  ]);
  expect(
    programs
      .text()
      .trim()
      .split('\n')
      .map((line): unknown => Object(JSON.parse(line)).secondsLeft),
  ).toEqual([10, 20, null]);
  vi.advanceTimersByTime(30_000);
  expect(text().trim().split('\n')).toHaveLength(3);
});
