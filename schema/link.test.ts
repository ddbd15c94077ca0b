import { expect, it } from 'vitest';
import { agreedVersion, toEdgeSchema, toHostSchema } from './link.ts';

const hello = (v: number, speaks?: number) => ({ type: 'hello', v, ...(speaks === undefined ? {} : { speaks }) });

it.each<[string, unknown, number, number | null | 'not_hello']>([
  ['both of the same version', hello(4, 5), 5, 5],
  ['a host one version older', hello(3, 4), 5, 4],
  ['a host one version newer', hello(5, 6), 5, 5],
  ['the first version, whose hosts say only one', hello(1), 1, 1],
  ['the first version at an edge of the second', hello(1), 2, 1],
  ['the second version at an edge of the first', hello(1, 2), 1, 1],
  ['a host two versions older', hello(2, 3), 5, null],
  ['a host two versions newer', hello(6, 7), 4, null],
  ['no hello', { type: 'status', v: 1 }, 1, 'not_hello'],
  ['no frame', null, 1, 'not_hello'],
])('%s', (_what, said, newest, agreed) => {
  expect(agreedVersion(said, newest)).toBe(agreed);
});

it('what a neighbour says beyond the schema is passed over, and a type that nobody knows is no frame', () => {
  expect(toHostSchema.parse({ v: 1, type: 'welcome', draining: false, later: { any: 'thing' } })).toEqual({
    v: 1,
    type: 'welcome',
    draining: false,
  });
  expect(toEdgeSchema.safeParse({ v: 1, type: 'later', job: 'b.1' }).success).toBe(false);
  expect(toEdgeSchema.safeParse({ v: 2, type: 'ack', job: 'b.1' }).success).toBe(false);
});
