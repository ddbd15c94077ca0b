import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Report } from './check.ts';
import { runUpheaval } from './run.ts';
import type { UpheavalName } from './upheavals.ts';

// The shortest of what `npm run torture` does: real processes, and what callers, mail servers and ledgers saw of it.

const SIZE = { inFlight: 8, entries: 8, deadlineMs: 8_000, answersAfterMs: 300, lastsMs: 0, kills: 5, rate: null };
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rcpt-torture-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function torture(upheaval: UpheavalName, seed: number): Promise<Report> {
  const size = { ...SIZE, seed };
  return runUpheaval({ upheaval, size, folder: join(folder, upheaval), older: null, say: () => undefined });
}

test('rolling all hosts under load fails no call, asks about no address twice and leaves books that add up', async () => {
  const report = await torture('rolled', 1);
  expect(report.faults).toEqual([]);
  // Of eight entries five are mailboxes that a server tells about.
  expect(report).toMatchObject({ brokenOff: 0, failed: 0, timedOut: 0, askedTimes: [0, report.answered * 5] });
  expect(report.answered).toBeGreaterThan(2 * SIZE.inFlight);
  expect(report.books).toMatchObject({ batches: report.answered, exact: report.answered });
}, 180_000);

test('five kills of workerd, of the host and of both leave one true answer for everybody, paid for exactly', async () => {
  const seed = randomInt(999_999);
  const report = await torture('killed', seed);
  process.stdout.write(`kills: seed ${seed}, ${JSON.stringify(report)}\n`);
  expect(report.faults).toEqual([]);
  expect(report.books.exact).toBeGreaterThan(0);
  expect(report.brokenOff + report.failed).toBeGreaterThan(0);
}, 180_000);
