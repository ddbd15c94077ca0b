import { describe, expect, it } from 'vitest';
import { MapStore } from '../../testing/map-store.ts';
import { HostNotes } from './host-notes.ts';

describe('HostNotes', () => {
  it('remember across a reset when a host was last seen and why it was refused', () => {
    const store = new MapStore();
    const notes = new HostNotes(store);
    notes.seen('fra-1', 1_000);
    notes.refused('fra-1', 'its clock is 90 s ahead', 2_000);
    const after = new HostNotes(store);
    const refusal = { atMs: 2_000, why: 'its clock is 90 s ahead' };
    expect(after.of('fra-1')).toEqual({ seenAtMs: 1_000, refusal, starts: [] });
    expect(after.of('fra-2')).toEqual({ seenAtMs: null, refusal: null, starts: [] });
  });

  it('write a repeated refusal once a minute, and a new one at once', () => {
    const store = new MapStore();
    const notes = new HostNotes(store);
    for (let ms = 0; ms < 60_000; ms += 100) notes.refused('fra-1', 'key', ms);
    expect(notes.of('fra-1').refusal).toEqual({ atMs: 0, why: 'key' });
    notes.refused('fra-1', 'removed', 59_000);
    expect(notes.of('fra-1').refusal).toEqual({ atMs: 59_000, why: 'removed' });
    const noted = [118_999, 119_000].map((nowMs) => {
      notes.refused('fra-1', 'removed', nowMs);
      return notes.of('fra-1').refusal?.atMs;
    });
    expect(noted).toEqual([59_000, 119_000]);
  });

  it('report a crash loop once, at five processes in ten minutes, also across resets', () => {
    const store = new MapStore();
    for (let second = 0; second < 75; second += 1) expect(new HostNotes(store).started('fra-1', 7, second)).toBe(false);
    const loops = [1, 2, 3, 4, 5, 6].map((n) => new HostNotes(store).started('fra-2', n, n * 25_000));
    expect(loops).toEqual([false, false, false, false, true, false]);
    for (let n = 0; n < 100; n += 1) new HostNotes(store).started('fra-2', 100 + n, 10_000_000 + n * 700_000);
    expect(new HostNotes(store).of('fra-2').starts).toHaveLength(20);
  });
});
