import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runUpheaval } from './run.ts';

// The shortest of what `npm run chaos` does: real processes, and what callers, mail servers and ledgers saw of it.

test('rolling all hosts under load fails no call, asks about no address twice and leaves books that add up', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rcpt-chaos-'));
  const size = { inFlight: 20, addresses: 6, deadlineMs: 20_000, answersAfterMs: 600, lastsMs: 0 };
  const report = await runUpheaval('rolled', size, folder, null, () => undefined);
  await rm(folder, { recursive: true });
  expect(report.faults).toEqual([]);
  expect(report).toMatchObject({ brokenOff: 0, timedOut: 0, askedTimes: [0, report.answered * size.addresses] });
  expect(report.answered).toBeGreaterThan(2 * size.inFlight);
  expect(report.books).toMatchObject({ batches: report.answered, exact: report.answered });
}, 60_000);
