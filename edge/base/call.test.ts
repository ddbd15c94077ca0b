import { describe, expect, it } from 'vitest';
import { newCallId } from './call.ts';

describe('newCallId', () => {
  it('returns a UUID of version 7 that begins with the time', () => {
    const id = newCallId(Date.parse('2026-11-20T00:00:00.001Z'));
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(Date.parse('2026-11-20T00:00:00.001Z'));
  });

  it('returns unique ids that sort by time', () => {
    const ids = Array.from({ length: 100 }, (_, i) => newCallId(1_000_000_000_000 + i));
    expect(new Set(ids).size).toBe(100);
    expect(ids.toSorted()).toEqual(ids);
  });
});
