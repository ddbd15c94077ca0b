import { describe, expect, it } from 'vitest';
import { toEdgeSchema, toHostSchema } from './link.ts';

it('unknown fields of a frame are ignored, and unknown types are no frames', () => {
  expect(toHostSchema.parse({ v: 1, type: 'welcome', draining: false, later: { any: 'thing' } })).toEqual({
    v: 1,
    type: 'welcome',
    draining: false,
  });
  expect(toEdgeSchema.safeParse({ v: 1, type: 'later', job: 'b.1' }).success).toBe(false);
  expect(toEdgeSchema.safeParse({ v: 2, type: 'ack', job: 'b.1' }).success).toBe(false);
});

describe('what a host claims', () => {
  const hello = {
    v: 1,
    type: 'hello',
    instance: 'instance-of-16-chars',
    routes: false,
    egress: ['192.0.2.1'],
    running: [],
    healthy: true,
    version: '1.0.0',
    slots: 20_000,
    startedAt: 1_800_000_000_000,
  };
  const status = { v: 1, type: 'status', draining: false, healthy: true, checked: true, failing: [] };
  const load = { jobs: 1_000, cooling: 100_000, refusals: [] };

  it.each([
    [20_000, 20_000],
    [100_000, 20_000],
    [5, 5],
  ])('as %i slots counts as %i', (slots, counted) => {
    expect(toEdgeSchema.parse({ ...hello, slots })).toMatchObject({ slots: counted });
  });

  it.each([
    ['more slots than anybody has', { ...hello, slots: 100_001 }],
    ['slots below none', { ...hello, slots: -1 }],
    ['half a slot', { ...hello, slots: 0.5 }],
    ['a start that no calendar has', { ...hello, startedAt: Number.MAX_SAFE_INTEGER }],
    ['a version with spaces', { ...hello, version: '1.0 beta' }],
    ['a version of 33 characters', { ...hello, version: '1'.repeat(33) }],
    ['no address', { ...hello, egress: [] }],
    ['65 addresses', { ...hello, egress: Array.from({ length: 65 }, () => '192.0.2.1') }],
    ['more jobs than it runs', { ...hello, running: Array.from({ length: 1_001 }, () => 'b.1') }],
    ['more jobs than it runs, later', { ...status, ...load, jobs: 1_001 }],
    ['countless servers in cool-down', { ...status, ...load, cooling: 1e300 }],
    ['an endless list of refusals', { ...status, ...load, refusals: Array.from({ length: 65 }, () => ({})) }],
  ])('is no frame with %s', (_what, frame) => {
    expect(toEdgeSchema.safeParse({ ...status, ...load }).success).toBe(true);
    expect(toEdgeSchema.safeParse(frame).success).toBe(false);
  });
});
