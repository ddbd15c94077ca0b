import { describe, expect, it } from 'vitest';
import type { BatchReport } from '../../../schema/batch-report.ts';
import { FakeClock } from '../../../schema/testing/fake-clock.ts';
import { MapStore } from '../../testing/map-store.ts';
import { RecentBatches } from './recent-batches.ts';

const job = { job: 1, host: 'fra-1', addresses: 1, atMs: 0, answeredMs: 2, endedMs: 40, end: 'done' };
const report = (id: string, atMs = 0): BatchReport => ({
  id,
  atMs,
  addresses: 1,
  before: { ms: 20, holdMs: 12 },
  ms: 41,
  outcome: 'served',
  cause: 'done',
  jobs: [{ ...job }],
  jobsAll: 1,
});

describe('RecentBatches', () => {
  it('tells how a batch went, also after the object was lost', async () => {
    const [store, clock] = [new MapStore(), new FakeClock()];
    const recent = new RecentBatches(store, clock);
    recent.note(report('a'));
    await clock.advance(2_000);
    const told = new RecentBatches(store, clock);
    expect(told.get('a')).toEqual(report('a'));
    expect(told.get('b')).toBeNull();
  });

  it('keeps the last five hundred in ten rows, written together', async () => {
    const [store, clock] = [new MapStore(), new FakeClock()];
    const recent = new RecentBatches(store, clock);
    for (let n = 0; n < 2_000; n += 1) {
      recent.note(report(`b${n}`, clock.now()));
      if (n % 40 === 0) await clock.advance(2_000);
    }
    await clock.advance(2_000);
    expect(store.rows.size).toBe(10);
    const told = new RecentBatches(store, clock);
    expect([told.get('b1499'), told.get('b1500')?.id, told.get('b1999')?.id]).toEqual([null, 'b1500', 'b1999']);
  });

  it('forgets after a week', async () => {
    const [store, clock] = [new MapStore(), new FakeClock()];
    const recent = new RecentBatches(store, clock);
    for (let n = 0; n < 60; n += 1) recent.note(report(`old${n}`, clock.now()));
    await clock.advance(8 * 86_400_000);
    expect(recent.get('old0')).toBeNull();
    recent.note(report('new', clock.now()));
    await clock.advance(2_000);
    expect(store.rows.size).toBe(1);
  });
});
