import { expect, it } from 'vitest';
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
