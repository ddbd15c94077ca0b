import { describe, expect, it } from 'vitest';
import { type CountStore, RecentCounts } from './recent-counts.ts';

const NOON = Date.parse('2026-11-21T12:00:00Z');
const MINUTE_MS = 60_000;
function newStore(): CountStore {
  const rows: Record<string, ReturnType<CountStore['get']>> = {};
  return { get: (key) => rows[key], put: (key, value) => void (rows[key] = structuredClone(value)) };
}

const sum = (counts: RecentCounts, atMs: number): number =>
  counts.of(atMs).reduce((all, { served = 0 }) => all + served, 0);

describe('RecentCounts', () => {
  it('counts by name, and forgets counts older than five minutes', () => {
    const counts = new RecentCounts(newStore());
    counts.add('served', 2, NOON, false);
    counts.add('served', 1, NOON + 4 * MINUTE_MS, false);
    counts.add('lost', 1, NOON + 4 * MINUTE_MS, true);
    expect(counts.of(NOON + 4 * MINUTE_MS)).toEqual([{ served: 1, lost: 1 }, {}, {}, {}, { served: 2 }]);
    expect(counts.of(NOON + 5 * MINUTE_MS)).toEqual([{}, { served: 1, lost: 1 }, {}, {}, {}]);
    expect(counts.of(NOON + 9 * MINUTE_MS)).toEqual([{}, {}, {}, {}, {}]);
  });

  it("survives the object's loss of memory", () => {
    const store = newStore();
    new RecentCounts(store).add('lost', 3, NOON, true);
    expect(new RecentCounts(store).of(NOON)[0]).toEqual({ lost: 3 });
  });

  it('writes at most every ten seconds, or every second if urgent', () => {
    let written = 0;
    const counts = new RecentCounts({ get: () => undefined, put: () => (written += 1) });
    for (let ms = 0; ms < 20_000; ms += 100) counts.add('served', 1, NOON + ms, false);
    expect(written).toBe(2);
    for (let ms = 20_000; ms < 30_000; ms += 100) counts.add('lost', 1, NOON + ms, true);
    expect(written).toBe(12);
  });

  it('loses nothing that was added too soon after the last write, once it is told to write', () => {
    const store = newStore();
    const counts = new RecentCounts(store);
    for (let ms = 0; ms < 5_000; ms += 1_000) counts.add('served', 1, NOON + ms, false);
    counts.write(NOON + 5_000);
    expect(new RecentCounts(store).of(NOON + 5_000)[0]).toEqual({ served: 5 });
  });

  it.each<[string, number, number, boolean]>([
    ['errors write the minutes more often', 0, 3_000, true],
    ['the object was reset', 0, 9_000, false],
    ['the clock went back within the hour', 0, -30_000, false],
    ['the clock went back into the hour before', 0, -1_800_000, true],
    ['the clock went back when nothing was counted', -1_000, -20_000, true],
  ])('never shows less for a longer time than for a shorter one: %s', (_what, first, then, isUrgent) => {
    const store = newStore();
    const span = { namesMax: 30, writeEveryMs: { urgent: 1_000, other: 10_000 } };
    const open = () => {
      const hours = new RecentCounts(store, { ...span, key: 'hours', lastsMs: 60 * MINUTE_MS, kept: 24 });
      return {
        hours,
        minutes: new RecentCounts(store, { ...span, key: 'minutes', lastsMs: MINUTE_MS, kept: 60 }, hours),
      };
    };
    const { hours, minutes } = open();
    for (const atMs of [NOON + first, NOON + then]) {
      hours.add('served', 1, atMs, false);
      minutes.add('served', 1, atMs, false);
      minutes.add('lost', 1, atMs, isUrgent);
      for (const known of [{ hours, minutes }, open()])
        expect(sum(known.hours, atMs)).toBeGreaterThanOrEqual(sum(known.minutes, atMs));
    }
    expect(sum(hours, NOON + then)).toBe(2);
  });

  it('keeps five minutes and thirty names, however many are added', () => {
    const store = newStore();
    const counts = new RecentCounts(store);
    for (let n = 0; n < 10_000; n += 1) counts.add(`name ${n % 100}`, 1, NOON + n * 1_000, true);
    expect(JSON.stringify(store.get('recent')).length).toBeLessThan(5_000);
    for (const minute of counts.of(NOON + 9_999_000)) expect(Object.keys(minute).length).toBeLessThanOrEqual(30);
  });
});
